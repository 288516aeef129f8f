import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { claimPurchase, type PurchaseClaimed } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { PurchaseRepository } from './purchase.repository.js';

/** Binds purchases of accounts of other shards: one shard decides for all of them. */
@Controller()
export class ClaimPurchase {
  constructor(
    private readonly database: Database,
    private readonly purchases: PurchaseRepository,
  ) {}

  @Handles(claimPurchase)
  async handle({ body }: Input<typeof claimPurchase>): Promise<PurchaseClaimed> {
    const { account_id, store, original_id, linked_id, product_id, expires_at } = body;
    const purchase = {
      originalId: original_id,
      linkedId: linked_id ?? null,
      productId: product_id,
      expiresAt: expires_at,
    };
    await this.database.transaction((tx) => this.purchases.claim(tx, account_id, store, purchase));
    return {};
  }
}
