import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { listReceipts, type Receipt, type Receipts } from '@vaultsvc/contracts/notify';
import { SealedTexts } from '@vaultsvc/crypto/data-keys';
import { Handles } from '@vaultsvc/messaging';
import { decodeJwt } from 'jose';
import { InteractionRepository, type StoredReceipt } from './interaction.repository.js';

@Controller()
export class ListReceipts {
  constructor(
    private readonly interactions: InteractionRepository,
    private readonly texts: SealedTexts,
  ) {}

  @Handles(listReceipts)
  async handle({ params }: Input<typeof listReceipts>, { credential }: AccountContext): Promise<Receipts> {
    const { send_id } = params;
    if (!(await this.interactions.hasSend(credential.accountId, send_id)))
      throw new AppError('SEND_NOT_FOUND');
    const stored = await this.interactions.list(credential.accountId, send_id);
    const receipts = await Promise.all(stored.map((one) => this.#shown(one)));
    return { send_id, receipts, count: receipts.length };
  }

  async #shown({ id, recipient_id: _, data_key_id, sealed, ...shown }: StoredReceipt): Promise<Receipt> {
    const jws = await this.texts.open([id], { data_key_id, sealed });
    const { action_hash } = decodeJwt<{ action_hash: string | null }>(jws);
    return { ...shown, action_hash: action_hash ?? null, jws };
  }
}
