import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { listReceipts, type Receipts } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { InteractionRepository } from './interaction.repository.js';
import { ReceiptPresenter } from './receipt-presenter.js';

@Controller()
export class ListReceipts {
  constructor(
    private readonly interactions: InteractionRepository,
    private readonly receipts: ReceiptPresenter,
  ) {}

  @Handles(listReceipts)
  async handle({ params }: Input<typeof listReceipts>, { credential }: AccountContext): Promise<Receipts> {
    const { send_id } = params;
    if (!(await this.interactions.hasSend(credential.accountId, send_id)))
      throw new AppError('SEND_NOT_FOUND');
    const receipts = await this.receipts.of(credential.accountId, send_id);
    return { send_id, receipts, count: receipts.length };
  }
}
