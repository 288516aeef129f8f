import { Injectable } from '@nestjs/common';
import type { Receipt } from '@vaultsvc/contracts/notify';
import { SealedTexts } from '@vaultsvc/crypto/data-keys';
import { decodeJwt } from 'jose';
import { InteractionRepository, type StoredReceipt } from './interaction.repository.js';

/** The receipts of a send as callers read them: their JWS is stored sealed. */
@Injectable()
export class ReceiptPresenter {
  constructor(
    private readonly interactions: InteractionRepository,
    private readonly texts: SealedTexts,
  ) {}

  /** In the order of the actions. */
  async of(accountId: string, sendId: string): Promise<Receipt[]> {
    const stored = await this.interactions.list(accountId, sendId);
    return Promise.all(stored.map((one) => this.#shown(one)));
  }

  async #shown({ id, recipient_id: _, data_key_id, sealed, ...shown }: StoredReceipt): Promise<Receipt> {
    const jws = await this.texts.open([id], { data_key_id, sealed });
    const { action_hash } = decodeJwt<{ action_hash: string | null }>(jws);
    return { ...shown, action_hash: action_hash ?? null, jws };
  }
}
