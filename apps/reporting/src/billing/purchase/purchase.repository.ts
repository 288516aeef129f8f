import { Injectable } from '@nestjs/common';
import type { Store } from '@vaultsvc/contracts/reporting';
import { epochSeconds, statement, type Queryable } from '@vaultsvc/database';

/** A purchase that an account has claimed. */
export interface ClaimedPurchase {
  readonly productId: string;
  /** The latest that any proof has shown, in epoch seconds. */
  readonly expiresAt: number;
}

/** Which account each purchase belongs to. */
@Injectable()
export class PurchaseRepository {
  /** Binds a purchase to the first account that claims it; an older proof changes nothing. Undefined: another account's. */
  async claim(
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
