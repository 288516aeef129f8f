import { Injectable } from '@nestjs/common';
import { AppError, type CallContext } from '@vaultsvc/contracts';
import { userJoined, type OpenedSession } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { ClaimedDomains } from '../domains/claimed-domains.js';
import type { SessionOwner } from '../sessions/session.repository.js';
import { IdentityRepository, type Identity, type KnownUser } from './identity.repository.js';
import type { ProvedIdentity } from './proved-identity.js';
import { SessionOpening } from './session-opening.js';

/**
 * Opens the session of a person whom the provider vouches for (OPEN-59): of the user that this identity is; else of
 * the user who was invited under its address, and who joins by this; else one that can do nothing but sign up.
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly opening: SessionOpening,
    private readonly identities: IdentityRepository,
    private readonly domains: ClaimedDomains,
    private readonly outbox: Outbox,
  ) {}

  open(proved: ProvedIdentity, context: CallContext): Promise<OpenedSession> {
    return this.opening.open((tx) => this.#ownerOf(tx, proved, context), context);
  }

  async #ownerOf(tx: Transaction, proved: ProvedIdentity, context: CallContext): Promise<SessionOwner> {
    const identity = await this.identities.meet(tx, proved);
    const user = (await this.identities.userOf(tx, identity.id)) ?? (await this.#join(tx, identity, context));
    if (!user) return { sessionType: 'identity_only', identityId: identity.id };
    const { accountId, userId, isSuspended } = user;
    // A session would be refused at its first use, and at every renewal: nobody would know why.
    if (isSuspended) throw new AppError('ACCOUNT_SUSPENDED');
    return { sessionType: 'full', accountId, userId };
  }

  /**
   * An address binds nobody to a user who is active already: that user has an identity, and this is not it. A domain
   * that another organization has claimed since the invitation wins over the invitation.
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
