import { Column, Entity, PrimaryColumn } from 'typeorm';

export type AccountStatus = 'active' | 'suspended';

@Entity('accounts')
export class AccountRow {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'organization_name', type: 'text' }) organizationName: string;
  @Column({ type: 'text', default: 'active' }) status: AccountStatus;
  @Column({ name: 'logo_url_light', type: 'text', nullable: true }) logoUrlLight: string | null;
  @Column({ name: 'logo_url_dark', type: 'text', nullable: true }) logoUrlDark: string | null;
  @Column({ type: 'jsonb', default: {} }) settings: Record<string, unknown>;
  /** Incremented by every change that invalidates cached credentials. */
  @Column({ type: 'bigint', default: 1 }) version: number;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
