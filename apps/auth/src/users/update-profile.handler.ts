import { Inject, Injectable } from '@nestjs/common';
import { AppError, type ContextOf, type Input } from '@vaultsvc/contracts';
import { updateProfile, type User } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { displayName } from '../accounts/display-name.js';
import { personOf } from './caller.js';
import { UserRepository } from './user.repository.js';

@Injectable()
export class UpdateProfile {
  constructor(@Inject(UserRepository) private readonly users: UserRepository) {}

  @Handles(updateProfile)
  async handle(
    { body }: Input<typeof updateProfile>,
    context: ContextOf<typeof updateProfile>,
  ): Promise<User> {
    const name = displayName('name', body.name);
    const user = await this.users.rename(context.credential.accountId, personOf(context), name);
    if (!user) throw new AppError('AUTHENTICATION_ERROR');
    return user;
  }
}
