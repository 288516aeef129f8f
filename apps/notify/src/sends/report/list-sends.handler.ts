import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listSends, type Inbox } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { SendReportRepository } from './send-report.repository.js';

@Controller()
export class ListSends {
  constructor(private readonly reports: SendReportRepository) {}

  @Handles(listSends)
  async handle({ query }: Input<typeof listSends>, { credential }: AccountContext): Promise<Inbox> {
    const { rows, ...page } = await this.reports.list(credential.accountId, query.limit, query.cursor);
    return { sends: [...rows], ...page };
  }
}
