import { Injectable } from '@nestjs/common';
import { AppError, type CallContext } from '@vaultsvc/contracts';
import { userJoined, type OpenedSession } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { DomainClaimLookup } from '../domains/domain-claim-lookup.js';
import type { SessionOwner } from '../sessions/session.repository.js';
import { IdentityRepository, type Identity, type KnownUser } from './identity.repository.js';
import type { VerifiedIdentity } from './verified-identity.js';
import { SessionOpener } from './session-opener.js';

/**
 * Opens the session of an authenticated person (OPEN-59): for the user bound to this identity; otherwise for the user invited
 * with its address, who joins by this; otherwise an identity-only session, which can only sign up.
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly opening: SessionOpener,
    private readonly identities: IdentityRepository,
    private readonly domains: DomainClaimLookup,
    private readonly outbox: Outbox,
  ) {}

  open(proved: VerifiedIdentity, context: CallContext): Promise<OpenedSession> {
    return this.opening.open((tx) => this.#ownerOf(tx, proved, context), context);
  }

  async #ownerOf(tx: Transaction, proved: VerifiedIdentity, context: CallContext): Promise<SessionOwner> {
    const identity = await this.identities.upsertAndLock(tx, proved);
    const user = (await this.identities.userOf(tx, identity.id)) ?? (await this.#join(tx, identity, context));
    if (!user) return { sessionType: 'identity_only', identityId: identity.id };
    const { accountId, userId, isSuspended } = user;
    // A session of a suspended account would be refused at every use, without a reason: refuse it here.
    if (isSuspended) throw new AppError('ACCOUNT_SUSPENDED');
    return { sessionType: 'full', accountId, userId };
  }

  /**
   * An address never binds an identity to an active user: that user has another identity. A claim of the domain by another
   * organization since the invitation takes precedence over it.
   */
  async #join(tx: Transaction, identity: Identity, context: CallContext): Promise<KnownUser | undefined> {
    const invited = await this.identities.invitedAs(tx, identity.email);
    if (!invited) return undefined;
    const { accountId, userId } = invited;
    const claimant = await this.domains.accountOf(tx, identity.email);
    if (claimant !== undefined && claimant !== accountId) return undefined;
    await this.identities.admit(tx, userId, identity.name);
    await this.identities.bind(tx, identity.id, userId);
    const fact = { account_id: accountId, user_id: userId };
    await this.outbox.publish(tx, userJoined, fact, { requestId: context.requestId, accountId });
    return invited;
  }
}
