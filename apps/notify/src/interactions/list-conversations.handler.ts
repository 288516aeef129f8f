import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listConversations, type ConversationPage } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { SendReportRepository } from '../sends/report/send-report.repository.js';

@Controller()
export class ListConversations {
  constructor(private readonly reports: SendReportRepository) {}

  @Handles(listConversations)
  async handle(
    { query }: Input<typeof listConversations>,
    { credential }: AccountContext,
  ): Promise<ConversationPage> {
    const { accountId } = credential;
    const { rows, ...page } = await this.reports.listConversations(accountId, query.limit, query.cursor);
    return { conversations: [...rows], ...page };
  }
}
