import { Controller } from '@nestjs/common';
import { AppError, type Input } from '@vaultsvc/contracts';
import { describeDomainWarning, type DomainWarning } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { ChallengeRecords } from './challenge-records.js';
import { DomainCheckRepository } from './domain-check.repository.js';

@Controller()
export class DescribeDomainWarning {
  constructor(
    private readonly checks: DomainCheckRepository,
    private readonly records: ChallengeRecords,
  ) {}

  @Handles(describeDomainWarning)
  async handle({ body }: Input<typeof describeDomainWarning>): Promise<DomainWarning> {
    const { domain, user_id: ownerId } = body;
    const claim = await this.checks.missing(domain, ownerId);
    if (!claim) throw new AppError('DOMAIN_NOT_FOUND');
    return {
      email: claim.email,
      organization_name: claim.organizationName,
      domain,
      ...(await this.records.of(claim.accountId, domain)),
      lapses_at: claim.lapsesAt,
    };
  }
}
