import { Controller } from '@nestjs/common';
import { type AccountContext, AppError, assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { removeUser, userRemoved, type User } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { assertOwnerActs } from '../owners/assert-owner-acts.js';
import { OwnerNotices, ownerChangeBy } from '../owners/owner-notices.js';
import { RemovedUserSessions } from './removed-user-sessions.js';
import { assertOwnerRemains, UserRepository } from './user.repository.js';

/** API keys that the user created belong to the account and stay. */
@Controller()
export class RemoveUser {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: RemovedUserSessions,
    private readonly notices: OwnerNotices,
    private readonly outbox: Outbox,
  ) {}

  @Handles(removeUser)
  async handle({ params }: Input<typeof removeUser>, context: ContextOf<typeof removeUser>): Promise<void> {
    assertAdmin(context);
    const id = params.user_id;
    const isRemoved = await this.database.transaction((tx) => this.#remove(tx, id, context));
    // Also if the user was removed before, so that a retry repairs the cache after a failure of Redis.
    await this.sessions.end(context.credential.accountId, id);
    if (!isRemoved) throw new AppError('USER_NOT_FOUND');
  }

  /** @throws 403 unless an owner removes it, 409 for the last one */
  async #assertOwnerRemovable(tx: Transaction, user: User, context: AccountContext): Promise<void> {
    const owners = await this.users.lockOwners(tx, context.credential.accountId);
    assertOwnerActs(owners, context);
    assertOwnerRemains(owners, user);
    const change = user.status === 'active' ? 'removed' : 'withdrawn';
    await this.notices.announce(tx, ownerChangeBy(context, change, user.user_id));
  }

  /** Marks the user as removed, which invalidates all sessions; resolves to false if the account has no such user. */
  async #remove(tx: Transaction, id: string, context: AccountContext): Promise<boolean> {
    const { accountId } = context.credential;
    await this.users.lockIdentity(tx, accountId, id);
    await this.users.lockAccount(tx, accountId);
    const user = await this.users.lock(tx, accountId, id);
    if (!user) return false;
    if (user.role === 'owner') await this.#assertOwnerRemovable(tx, user, context);
    await this.users.remove(tx, id);
    const fact = { account_id: accountId, user_id: id, actor_id: actorIdOf(context) };
    await this.outbox.publish(tx, userRemoved, fact, context);
    return true;
  }
}
