import type { Store } from '@vaultsvc/contracts/reporting';

/** A current purchase, as its store confirms it. */
export interface StorePurchase {
  /** Stays the same over all renewals. */
  readonly originalId: string;
  /** The purchase that this one replaced in the store; null: none. */
  readonly linkedId: string | null;
  readonly productId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** The seam to an app store. */
export interface StoreVerifier {
  readonly store: Store;
  /** Plans by product of the store; empty: the store is not configured. */
  readonly products: ReadonlyMap<string, string>;
  /**
   * Verifies a proof of purchase.
   * @throws AppError PURCHASE_REFUSED
   */
  verify(receipt: string): Promise<StorePurchase>;
}
