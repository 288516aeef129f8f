import { Injectable } from '@nestjs/common';
import type { PendingInvitation } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { DomainClaimLookup } from '../domains/domain-claim-lookup.js';
import { IdentityRepository } from '../identity/identity.repository.js';
import { InvitationRepository } from './invitation.repository.js';

/** Lists the invitations that an identity can accept now, at most 100 (OPEN-59). */
@Injectable()
export class PendingInvitations {
  constructor(
    private readonly database: Database,
    private readonly identities: IdentityRepository,
    private readonly domains: DomainClaimLookup,
    private readonly invitations: InvitationRepository,
  ) {}

  /** Empty for an identity that was deleted. */
  async of(identityId: string): Promise<PendingInvitation[]> {
    const identity = await this.identities.find(identityId);
    if (!identity) return [];
    const claimant = await this.domains.accountOf(this.database, identity.email);
    return this.invitations.list(identityId, claimant);
  }
}
