import type { Role, Seat } from '@vaultsvc/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `invited` until the person accepts. A removed user has lost address, name and sessions. */
export type UserStatus = 'invited' | 'active' | 'removed';

@Entity('users')
export class UserRow {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) email: string;
  /** The normalized address (`identityKey`), by which invitations are found; unique in the account. */
  @Column({ name: 'email_key', type: 'text' }) emailKey: string;
  @Column({ type: 'text', nullable: true }) name: string | null;
  @Column({ type: 'text' }) role: Role;
  @Column({ type: 'text' }) seat: Seat;
  @Column({ type: 'text' }) status: UserStatus;
  /** The inviting user; null if an API key invited, or if the user was not invited. */
  @Column({ name: 'invited_by', type: 'text', nullable: true }) invitedBy: string | null;
  /** Whether the first sign-in with the address accepts: the owner of a first account, who was not invited (OPEN-62). */
  @Column({ name: 'joins_at_sign_in', type: 'boolean', default: false }) joinsAtSignIn: boolean;
  @Column({ type: 'bigint', default: 1 }) version: number;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
