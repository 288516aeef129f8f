import { Controller } from '@nestjs/common';
import {
  type AccountContext,
  AppError,
  assertAdmin,
  type ContextOf,
  type Input,
  validationError,
} from '@vaultsvc/contracts';
import { updateUser, userChanged, type User, type UserChange } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { displayName } from '../names/display-name.js';
import { actorIdOf } from '../actor.js';
import { assertOwnerActs } from '../owners/assert-owner-acts.js';
import { OwnerNotices, ownerChangeBy } from '../owners/owner-notices.js';
import { SessionRecordWriter } from '../sessions/session-record-writer.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { assertOwnerRemains, type UserUpdate, UserRepository } from './user.repository.js';

interface Changed {
  readonly user: User;
  readonly sessionIds: readonly string[];
}

@Controller()
export class UpdateUser {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly records: SessionRecordWriter,
    private readonly notices: OwnerNotices,
    private readonly outbox: Outbox,
  ) {}

  @Handles(updateUser)
  async handle(
    { params, body }: Input<typeof updateUser>,
    context: ContextOf<typeof updateUser>,
  ): Promise<User> {
    assertAdmin(context);
    const change = readChange(body);
    const { user, sessionIds } = await this.database.transaction((tx) =>
      this.#change(tx, params.user_id, change, context),
    );
    // Also if nothing changed, so that a retry after a failure of Redis updates the cached records.
    await this.records.renew(sessionIds);
    return user;
  }

  async #change(tx: Transaction, id: string, change: UserUpdate, context: AccountContext): Promise<Changed> {
    const { accountId } = context.credential;
    await this.users.lockAccount(tx, accountId);
    const before = await this.users.lock(tx, accountId, id);
    if (!before) throw new AppError('USER_NOT_FOUND');
    const [was, becomes] = [before.role === 'owner', (change.role ?? before.role) === 'owner'];
    if (was || becomes) {
      const owners = await this.users.lockOwners(tx, accountId);
      assertOwnerActs(owners, context);
      if (!becomes) assertOwnerRemains(owners, before);
    }
    if (was && !becomes) await this.notices.announce(tx, ownerChangeBy(context, 'revoked', id));
    const user = await this.users.change(tx, id, change);
    if (becomes && !was) await this.notices.announce(tx, ownerChangeBy(context, 'granted', id));
    if (isAnother(user, before)) await this.#tell(tx, user, before, context);
    return { user, sessionIds: await this.sessions.liveOf(tx, id) };
  }

  async #tell(
    tx: Transaction,
    { user_id, role, seat }: User,
    before: User,
    context: AccountContext,
  ): Promise<void> {
    const fact = {
      account_id: context.credential.accountId,
      user_id,
      actor_id: actorIdOf(context),
      role,
      seat,
      ...(before.role !== role && { previous_role: before.role }),
    };
    await this.outbox.publish(tx, userChanged, fact, context);
  }
}

function isAnother(user: User, before: User): boolean {
  return user.role !== before.role || user.seat !== before.seat || user.name !== before.name;
}

function readChange({ role, seat, name }: UserChange): UserUpdate {
  if (role === undefined && seat === undefined && name === undefined)
    throw validationError({ field: '', message: 'give at least one of role, seat and name' });
  return { role, seat, name: name === undefined ? undefined : displayName('name', name) };
}
