import { Injectable } from '@nestjs/common';
import { AppError, type ContextOf, type Input } from '@vaultsvc/contracts';
import { readMe, type Me, type SessionUser, type User } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { AccountDetailsRepository } from '../accounts/account-details.repository.js';
import { UserRepository } from './user.repository.js';

@Injectable()
export class ReadMe {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: AccountDetailsRepository,
  ) {}

  @Handles(readMe)
  async handle(_: Input<typeof readMe>, context: ContextOf<typeof readMe>): Promise<Me> {
    const { accountId, userId, role, seat, kind } = context.credential;
    const [account, user] = await Promise.all([
      this.accounts.read(accountId),
      userId === null ? null : this.users.findActive(accountId, userId),
    ]);
    if (user === undefined) throw new AppError('AUTHENTICATION_ERROR');
    return { user: user && shown(user, role), account, role, seat, credential: kind };
  }
}

/** Without a name the address serves as one, as in the reply to a sign-in. */
function shown({ user_id, email, name }: User, role: SessionUser['role']): SessionUser {
  return { user_id, email, name: name ?? (email.split('@')[0] as string), role };
}
