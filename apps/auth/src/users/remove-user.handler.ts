import { Injectable } from '@nestjs/common';
import { type AccountContext, AppError, assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { removeUser, userRemoved } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorOf } from '../credentials/actor.js';
import { SessionRecordWriter } from '../sessions/session-record-writer.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { assertOwnerRemains, UserRepository } from './user.repository.js';

/** API keys that the user created belong to the account and stay. */
@Injectable()
export class RemoveUser {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly records: SessionRecordWriter,
    private readonly outbox: Outbox,
  ) {}

  @Handles(removeUser)
  async handle({ params }: Input<typeof removeUser>, context: ContextOf<typeof removeUser>): Promise<void> {
    assertAdmin(context);
    const id = params.user_id;
    const ended = await this.database.transaction((tx) => this.#remove(tx, id, context));
    if (!ended) return this.#buryAgain(id, context);
    this.outbox.wake();
    await this.records.renew(ended);
  }

  /** The sessions that ended with the user; undefined if the account has no such user. */
  async #remove(tx: Transaction, id: string, context: AccountContext): Promise<string[] | undefined> {
    const { accountId } = context.credential;
    await this.users.lockIdentity(tx, accountId, id);
    await this.users.lockAccount(tx, accountId);
    const user = await this.users.lock(tx, accountId, id);
    if (!user) return undefined;
    if (user.role === 'owner') assertOwnerRemains(await this.users.lockOwners(tx, accountId), user);
    await this.users.remove(tx, id);
    const ended = await this.sessions.endAllOf(tx, id);
    const fact = { account_id: accountId, user_id: id, actor_id: actorOf(context) };
    await this.outbox.publish(tx, userRemoved, fact, context);
    return ended;
  }

  /** A retry after a failure of Redis answers 404, after the cached records were updated. */
  async #buryAgain(id: string, { credential }: AccountContext): Promise<never> {
    await this.records.renew(await this.users.sessionsEndedByRemoval(credential.accountId, id));
    throw new AppError('USER_NOT_FOUND');
  }
}
