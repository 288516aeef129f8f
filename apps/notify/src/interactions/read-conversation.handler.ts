import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { readConversation, type ConversationDetails } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { SendReportRepository } from '../sends/report/send-report.repository.js';
import { ReceiptPresenter } from './receipt-presenter.js';

@Controller()
export class ReadConversation {
  constructor(
    private readonly reports: SendReportRepository,
    private readonly receipts: ReceiptPresenter,
  ) {}

  @Handles(readConversation)
  async handle(
    { params }: Input<typeof readConversation>,
    { credential }: AccountContext,
  ): Promise<ConversationDetails> {
    const { accountId } = credential;
    const conversation = await this.reports.findConversation(accountId, params.send_id);
    if (!conversation) throw new AppError('SEND_NOT_FOUND');
    const receipts = await this.receipts.of(accountId, params.send_id);
    const replies = receipts
      .filter(({ action }) => action === 'reply')
      .map(({ recipient, reply_spark_id, at }) => ({ recipient, reply_spark_id, at }));
    return { ...conversation, replies, receipts };
  }
}
