import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type ContextOf, type Input } from '@vaultsvc/contracts';
import { updateProfile, userChanged, type User } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { displayName } from '../names/display-name.js';
import { actorIdOf, sessionUserOf } from '../actor.js';
import { UserRepository } from './user.repository.js';

@Controller()
export class UpdateProfile {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(updateProfile)
  async handle(
    { body }: Input<typeof updateProfile>,
    context: ContextOf<typeof updateProfile>,
  ): Promise<User> {
    const name = displayName('name', body.name);
    return this.database.transaction((tx) => this.#rename(tx, name, context));
  }

  async #rename(tx: Transaction, name: string, context: AccountContext): Promise<User> {
    const { accountId } = context.credential;
    const user = await this.users.rename(tx, accountId, sessionUserOf(context), name);
    if (!user) throw new AppError('AUTHENTICATION_ERROR');
    const { user_id, role, seat } = user;
    const fact = { account_id: accountId, user_id, actor_id: actorIdOf(context), role, seat };
    await this.outbox.publish(tx, userChanged, fact, context);
    return user;
  }
}
