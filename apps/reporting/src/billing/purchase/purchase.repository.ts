import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { Store } from '@vaultsvc/contracts/reporting';
import { epochSeconds, statement, type Queryable, type Transaction } from '@vaultsvc/database';
import type { StorePurchase } from './store-verifier.js';

/** A purchase that an account has claimed. */
export interface ClaimedPurchase {
  readonly productId: string;
  /** The latest that any proof has shown, in epoch seconds. */
  readonly expiresAt: number;
}

/** Which account each purchase belongs to. */
@Injectable()
export class PurchaseRepository {
  /**
   * Binds a purchase to the first account that claims it; an older proof changes nothing. The purchase that this one replaces is claimed
   * too: nobody else can bring its older proof.
   * @throws AppError PURCHASE_CLAIMED if one of them is another account's; nothing may be committed then
   */
  async claim(
    tx: Transaction,
    accountId: string,
    store: Store,
    purchase: StorePurchase,
  ): Promise<ClaimedPurchase> {
    const { originalId, linkedId } = purchase;
    const isOurs = linkedId === null || (await this.#claim(tx, accountId, store, linkedId, purchase));
    const claimed = isOurs && (await this.#claim(tx, accountId, store, originalId, purchase));
    if (!claimed) throw new AppError('PURCHASE_CLAIMED');
    return claimed;
  }

  /** Whether this database has the purchase, and the one that it replaces, as claimed by the account. */
  async isKnown(
    db: Queryable,
    accountId: string,
    store: Store,
    { originalId, linkedId }: StorePurchase,
  ): Promise<boolean> {
    const ids = linkedId === null ? [originalId] : [originalId, linkedId];
    const rows = await db.query(findClaimed, [store, ids, accountId]);
    return rows.length === new Set(ids).size;
  }

  /** Undefined: another account's. */
  async #claim(
    tx: Queryable,
    accountId: string,
    store: Store,
    originalId: string,
    { productId, expiresAt }: ClaimedPurchase,
  ): Promise<ClaimedPurchase | undefined> {
    const values = [store, originalId, accountId, productId, expiresAt];
    const [claimed] = await tx.query<ClaimedPurchase>(claimPurchase, values);
    return claimed;
  }
}

const findClaimed = statement(
  'store-purchases.find-claimed',
  `SELECT 1 FROM store_purchases WHERE store = $1 AND original_id = ANY($2::text[]) AND account_id = $3`,
);

const claimPurchase = statement(
  'store-purchases.claim',
  `INSERT INTO store_purchases AS claimed (store, original_id, account_id, product_id, expires_at)
   VALUES ($1, $2, $3, $4, to_timestamp($5))
   ON CONFLICT (store, original_id) DO UPDATE SET
          product_id = CASE WHEN excluded.expires_at >= claimed.expires_at
                            THEN excluded.product_id ELSE claimed.product_id END,
          expires_at = greatest(claimed.expires_at, excluded.expires_at)
    WHERE claimed.account_id = excluded.account_id
   RETURNING product_id AS "productId", ${epochSeconds('expires_at', 'expiresAt')}`,
);
