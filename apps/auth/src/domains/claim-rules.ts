import { Injectable } from '@nestjs/common';
import { type AccountContext, AppError, assertAdmin, validationError } from '@vaultsvc/contracts';
import type { Queryable } from '@vaultsvc/database';
import { normalizeDomain } from '../names/domain-name.js';
import { DomainRepository } from './domain.repository.js';
import { PlatformDomains } from './platform-domains.js';

/** Claimed domains of one account (DOM-10). */
const DOMAINS_MAX = 10;

/** @throws 403 unless the caller is an admin or owner with a session: an API key is not enough (DOM-04) */
export function assertAdminSession(context: AccountContext): void {
  if (context.credential.kind !== 'session') throw new AppError('SESSION_REQUIRED');
  assertAdmin(context);
}

/** The rules of a claim that do not depend on DNS. They apply to the challenge already (DOM-08). */
@Injectable()
export class ClaimRules {
  constructor(
    private readonly platform: PlatformDomains,
    private readonly domains: DomainRepository,
  ) {}

  /**
   * The normal form of a domain that can be claimed.
   * @throws VALIDATION_ERROR
   */
  claimable(text: string): string {
    const domain = normalizeDomain(text);
    if (this.platform.includes(domain)) throw refusal('domain belongs to this platform');
    return domain;
  }

  /**
   * Final only while the account is locked.
   * @throws DOMAIN_OWNED (409) if the account has claimed the domain; 400 if another account has, without naming it, or if the
   * account has the maximum of claims
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
