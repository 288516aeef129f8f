import { Controller } from '@nestjs/common';
import { AppError, type ContextOf, type Input } from '@vaultsvc/contracts';
import { readProfile, type User } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { sessionUserOf } from '../actor.js';
import { UserRepository } from './user.repository.js';

@Controller()
export class ReadProfile {
  constructor(private readonly users: UserRepository) {}

  @Handles(readProfile)
  async handle(_: Input<typeof readProfile>, context: ContextOf<typeof readProfile>): Promise<User> {
    const user = await this.users.findActive(context.credential.accountId, sessionUserOf(context));
    // The user was removed during the call: answer as the next call will be answered.
    if (!user) throw new AppError('AUTHENTICATION_ERROR');
    return user;
  }
}
