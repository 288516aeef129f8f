import { Injectable } from '@nestjs/common';
import { AppError, type CallContext } from '@vaultsvc/contracts';
import { userJoined } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { refuseTakenEmail } from '../accounts/account.repository.js';
import { DomainClaimLookup } from '../domains/domain-claim-lookup.js';
import {
  IdentityRepository,
  type AccountUser,
  type Identity,
  type KnownUser,
} from '../identity/identity.repository.js';
import { OwnerNotices } from '../owners/owner-notices.js';
import { InvitationRepository } from './invitation.repository.js';

/**
 * Makes an identity the user of an invitation to its address (OPEN-59). The claim of the domain by another organization takes
 * precedence over an invitation.
 */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly invitations: InvitationRepository,
    private readonly domains: DomainClaimLookup,
    private readonly owners: OwnerNotices,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Accepts an invitation. Of concurrent attempts of one identity the first locks its row and the others then find it bound.
   * @throws AUTHENTICATION_ERROR, SIGNUP_COMPLETED, INVITATION_NOT_FOUND, EMAIL_TAKEN, DOMAIN_CLAIMED or ACCOUNT_SUSPENDED;
   * the caller rolls back
   */
  async accept(tx: Transaction, id: string, identityId: string, context: CallContext): Promise<AccountUser> {
    const identity = await this.identities.lockUnbound(tx, identityId);
    const user = await this.invitations.accept(tx, id, identityId).catch(refuseTakenEmail);
    if (!user) throw new AppError('INVITATION_NOT_FOUND');
    const claimant = await this.domains.accountOf(tx, identity.email);
    if (claimant !== undefined && claimant !== user.accountId) throw new AppError('DOMAIN_CLAIMED');
    if (user.isSuspended) throw new AppError('ACCOUNT_SUSPENDED');
    const { accountId, userId } = user;
    const { requestId } = context;
    await this.owners.announce(tx, { accountId, userId, change: 'joined', actorId: null, requestId });
    return this.#bind(tx, identity, user, context);
  }

  /** Admits the owner of a first account, who is not asked (OPEN-62); undefined if none with this address is expected. */
  async admitFirstOwner(
    tx: Transaction,
    identity: Identity,
    context: CallContext,
  ): Promise<KnownUser | undefined> {
    const claimant = await this.domains.accountOf(tx, identity.email);
    const owner = await this.invitations.admitFirstOwner(tx, identity.id, claimant);
    return owner && this.#bind(tx, identity, owner, context);
  }

  async #bind(
    tx: Transaction,
    identity: Identity,
    user: KnownUser,
    { requestId }: CallContext,
  ): Promise<KnownUser> {
    const { accountId, userId } = user;
    await this.identities.bind(tx, identity.id, userId);
    const fact = { account_id: accountId, user_id: userId };
    await this.outbox.publish(tx, userJoined, fact, { requestId, accountId });
    return user;
  }
}
