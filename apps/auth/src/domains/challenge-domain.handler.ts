import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { challengeDomain, type DomainChallenge } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { assertAdminSession, ClaimRules } from './claim-rules.js';
import { ChallengeRecords } from './challenge-records.js';

@Controller()
export class ChallengeDomain {
  constructor(
    private readonly database: Database,
    private readonly rules: ClaimRules,
    private readonly records: ChallengeRecords,
  ) {}

  @Handles(challengeDomain)
  async handle(
    { body }: Input<typeof challengeDomain>,
    context: ContextOf<typeof challengeDomain>,
  ): Promise<DomainChallenge> {
    assertAdminSession(context);
    const { accountId } = context.credential;
    const domain = this.rules.claimable(body.domain);
    await this.rules.assertMayClaim(this.database, accountId, domain);
    return { domain, ...(await this.records.of(accountId, domain)) };
  }
}
