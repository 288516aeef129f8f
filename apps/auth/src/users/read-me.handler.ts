import { Controller } from '@nestjs/common';
import { type AccountCredential, AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { readMe, type Me, type SessionUser, type User } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { AccountDetailsRepository } from '../accounts/account-details.repository.js';
import { PendingInvitations } from '../invitations/pending-invitations.js';
import { UserRepository } from './user.repository.js';

@Controller()
export class ReadMe {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: AccountDetailsRepository,
    private readonly invitations: PendingInvitations,
  ) {}

  @Handles(readMe)
  handle(_: Input<typeof readMe>, { credential }: CallContext): Promise<Me> {
    if ('accountId' in credential) return this.#account(credential);
    if (credential.kind === 'identity') return this.#identity(credential.identityId);
    throw new AppError('AUTHENTICATION_ERROR');
  }

  async #identity(identityId: string): Promise<Me> {
    const nothing = { user: null, account: null, role: null, seat: null } as const;
    return {
      ...nothing,
      credential: 'identity_only',
      invitations: await this.invitations.of(identityId),
    };
  }

  async #account({ accountId, userId, role, seat, kind }: AccountCredential): Promise<Me> {
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
