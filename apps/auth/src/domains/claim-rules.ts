import { Injectable } from '@nestjs/common';
import { AppError, validationError, type AccountContext } from '@vaultsvc/contracts';
import type { Queryable } from '@vaultsvc/database';
import { assertAdmin } from '../credentials/actor.js';
import { normalizeDomain } from './domain-name.js';
import { DomainRepository } from './domain.repository.js';
import { PlatformDomains } from './platform-domains.js';

/** DOM-10. */
const DOMAINS_MAX = 10;

/** 403 unless a person is signed in as admin or owner: an API key is not enough (DOM-04). */
export function assertAdminSession(context: AccountContext): void {
  if (context.credential.kind !== 'session') throw new AppError('SESSION_REQUIRED');
  assertAdmin(context);
}

/** Everything that refuses a claim and that no DNS record can mend: asked at the challenge already (DOM-08). */
@Injectable()
export class ClaimRules {
  constructor(
    private readonly platform: PlatformDomains,
    private readonly domains: DomainRepository,
  ) {}

  /** The normal form of a domain that may be claimed by somebody. Throws 400. */
  claimable(text: string): string {
    const domain = normalizeDomain(text);
    if (this.platform.includes(domain)) throw refusal('domain belongs to this platform');
    return domain;
  }

  /**
   * Throws 409 for a domain of the account's own, and 400 for one that another has claimed (without saying who) or for
   * one too many. Final only while the account is locked and until somebody else claims the domain.
   */
  async assertMayClaim(on: Queryable, accountId: string, domain: string): Promise<void> {
    const { holder, claimed } = await this.domains.standing(on, accountId, domain);
    if (holder === accountId) throw new AppError('DOMAIN_OWNED');
    if (holder !== null) throw refusal('domain has been claimed by another organization');
    if (claimed >= DOMAINS_MAX) throw refusal(`an organization may claim ${DOMAINS_MAX} domains at most`);
  }
}

function refusal(message: string): AppError {
  return validationError({ field: 'domain', message });
}
