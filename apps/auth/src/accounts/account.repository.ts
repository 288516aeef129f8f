import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, identityKey, type Role, type Seat } from '@vaultsvc/contracts';
import { accountCreated, userAdded } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { isUniqueViolation, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { AuthConfig } from '../config.js';
import { AccountRow } from './account.entity.js';
import { UserRow, type UserStatus } from './user.entity.js';

export interface NewUser {
  readonly email: string;
  readonly name?: string | null;
  readonly role: Role;
  readonly seat: Seat;
  readonly status: UserStatus;
  /** The inviting user, if there is one. */
  readonly invitedBy?: string | null;
  /** Whether the first sign-in with the address accepts, without expiry: the owner of a first account (OPEN-62). */
  readonly joinsAtSignIn?: boolean;
}

/** Creates accounts and users together with their events. */
@Injectable()
export class AccountRepository {
  constructor(
    private readonly outbox: Outbox,
    @Inject(AuthConfig) private readonly config: Pick<AuthConfig, 'ACCOUNT_SHARDS'>,
  ) {}

  /** Inserts an active account without users, on one of the shards for new accounts. */
  async createAccount(
    tx: Transaction,
    organizationName: string,
    requestId: string | null = null,
  ): Promise<string> {
    const { ACCOUNT_SHARDS: shards } = this.config;
    const id = newId('acc_', shards[randomInt(shards.length)]);
    await tx.manager.insert(AccountRow, { id, organizationName });
    await this.outbox.publish(tx, accountCreated, { account_id: id }, { requestId, accountId: id });
    return id;
  }

  /** @throws EMAIL_TAKEN if the address belongs to another active user, or to a user of the same account */
  async addUser(
    tx: Transaction,
    accountId: string,
    { email, invitedBy = null, name = null, joinsAtSignIn = false, ...user }: NewUser,
    requestId: string | null = null,
  ): Promise<string> {
    const id = newId('usr_');
    const row = {
      ...user,
      id,
      accountId,
      email,
      emailKey: identityKey(email),
      name,
      invitedBy,
      joinsAtSignIn,
    };
    await tx.manager.insert(UserRow, row).catch(refuseTakenEmail);
    await this.outbox.publish(
      tx,
      userAdded,
      { account_id: accountId, user_id: id },
      { requestId, accountId },
    );
    return id;
  }
}

/**
 * The unique indexes decide, not an earlier query: attempts to use an address may race.
 * @throws EMAIL_TAKEN for a violation of one of them, otherwise the error
 */
export function refuseTakenEmail(error: unknown): never {
  const isTaken = ['users_active_email', 'users_by_email_key'].some((key) => isUniqueViolation(error, key));
  throw isTaken ? new AppError('EMAIL_TAKEN') : error;
}
