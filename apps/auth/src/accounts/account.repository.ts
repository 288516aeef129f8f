import { Injectable } from '@nestjs/common';
import type { Role, Seat } from '@vaultsvc/contracts';
import { accountCreated, userAdded } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { isUniqueViolation, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { Account } from './account.entity.js';
import { emailKey } from './email.js';
import { User, type UserStatus } from './user.entity.js';

export interface NewUser {
  readonly email: string;
  readonly name?: string | null;
  readonly role: Role;
  readonly seat: Seat;
  readonly status: UserStatus;
  /** The inviting user, if there is one. */
  readonly invitedBy?: string | null;
}

/** The address already belongs to a user: it is unique across the platform. */
export class EmailTaken extends Error {
  override readonly name = 'EmailTaken';

  constructor() {
    super('This e-mail address already belongs to an account.');
  }
}

/** Creates accounts and users together with their events. */
@Injectable()
export class AccountRepository {
  constructor(private readonly outbox: Outbox) {}

  /** Inserts an active account without users. */
  async createAccount(
    tx: Transaction,
    organizationName: string,
    requestId: string | null = null,
  ): Promise<string> {
    const id = newId('acc_');
    await tx.manager.insert(Account, { id, organizationName });
    await this.outbox.publish(tx, accountCreated, { account_id: id }, { requestId, accountId: id });
    return id;
  }

  /** @throws EmailTaken */
  async addUser(
    tx: Transaction,
    accountId: string,
    { email, name = null, role, seat, status, invitedBy = null }: NewUser,
    requestId: string | null = null,
  ): Promise<string> {
    const id = newId('usr_');
    const user = { id, accountId, email, emailKey: emailKey(email), name, role, seat, status, invitedBy };
    await tx.manager.insert(User, user).catch(refuseTakenEmail);
    await this.outbox.publish(
      tx,
      userAdded,
      { account_id: accountId, user_id: id },
      { requestId, accountId },
    );
    return id;
  }
}

function refuseTakenEmail(error: unknown): never {
  if (isUniqueViolation(error, 'users_email_key_key')) throw new EmailTaken();
  throw error;
}
