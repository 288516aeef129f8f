import { Injectable } from '@nestjs/common';
import { AppError, type CallContext } from '@vaultsvc/contracts';
import type { SignInSession } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { InvitationAcceptance } from '../invitations/invitation-acceptance.js';
import { PendingInvitations } from '../invitations/pending-invitations.js';
import type { SessionOwner } from '../sessions/session.repository.js';
import { IdentityRepository } from '../identity/identity.repository.js';
import type { VerifiedIdentity } from '../identity/verified-identity.js';
import { SessionOpener } from '../sessions/session-opener.js';
import { UsedIdTokenRepository } from '../identity/used-id-token.repository.js';

/**
 * Opens the session of an authenticated person (OPEN-59): for the user bound to this identity; otherwise for the owner of a
 * first account with its address, who joins by this; otherwise an identity-only session with the person's invitations.
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly opening: SessionOpener,
    private readonly identities: IdentityRepository,
    private readonly acceptance: InvitationAcceptance,
    private readonly invitations: PendingInvitations,
    private readonly usedTokens: UsedIdTokenRepository,
  ) {}

  /**
   * @param idToken the token by which the caller proved the identity: it signs in once. Absent for a code, which the provider
   * exchanges once.
   */
  async open(proved: VerifiedIdentity, context: CallContext, idToken?: string): Promise<SignInSession> {
    const { owner, session } = await this.opening.open(async (tx) => {
      if (idToken !== undefined && !(await this.usedTokens.use(tx, idToken)))
        throw new AppError('IDENTITY_REFUSED');
      return this.#ownerOf(tx, proved, context);
    }, context);
    if (owner.sessionType === 'full') return session;
    return { ...session, invitations: await this.invitations.of(owner.identityId) };
  }

  async #ownerOf(tx: Transaction, proved: VerifiedIdentity, context: CallContext): Promise<SessionOwner> {
    const identity = await this.identities.upsertAndLock(tx, proved);
    const user =
      (await this.identities.userOf(tx, identity.id)) ??
      (await this.acceptance.admitFirstOwner(tx, identity, context));
    if (!user) return { sessionType: 'identity_only', identityId: identity.id };
    const { accountId, userId, isSuspended } = user;
    // A session of a suspended account would be refused at every use, without a reason: refuse it here.
    if (isSuspended) throw new AppError('ACCOUNT_SUSPENDED');
    return { sessionType: 'full', accountId, userId };
  }
}
