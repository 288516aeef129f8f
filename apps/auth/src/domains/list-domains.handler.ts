import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { listDomains, type DomainList } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { DomainRepository, presentDomain } from './domain.repository.js';
import { ChallengeRecords } from './challenge-records.js';

@Controller()
export class ListDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly records: ChallengeRecords,
  ) {}

  @Handles(listDomains)
  async handle(
    _input: Input<typeof listDomains>,
    context: ContextOf<typeof listDomains>,
  ): Promise<DomainList> {
    const { accountId } = context.credential;
    const rows = await this.domains.list(accountId);
    const shown = rows.map(async (row) => presentDomain(row, await this.records.of(accountId, row.domain)));
    return { domains: await Promise.all(shown) };
  }
}
