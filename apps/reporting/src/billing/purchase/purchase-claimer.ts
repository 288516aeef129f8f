import { Injectable } from '@nestjs/common';
import { AppError, serviceContext, type AccountContext } from '@vaultsvc/contracts';
import { claimPurchase, type Store } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Bus } from '@vaultsvc/messaging';
import { causeOfCall } from '../../audit/own-record.js';
import { Plans } from '../../pool/plans.js';
import { Shards } from '../../shards/shards.js';
import { BillingTerms } from '../subscription/billing-terms.js';
import { quoteStorePurchase } from '../quote/quote.js';
import type { SubscriptionState } from '../quote/subscription-state.js';
import { SubscriptionChanger } from '../subscription/subscription-changer.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { PurchaseRepository, type ClaimedPurchase } from './purchase.repository.js';
import type { StorePurchase, StoreVerifier } from './store-verifier.js';

const CLAIM_MS_MAX = 2_000;

/** A claimed purchase, and the subscription that it pays for. */
export interface AppliedPurchase extends ClaimedPurchase {
  readonly state: SubscriptionState;
}

/** Binds verified purchases to accounts and applies them to their subscriptions, in one transaction. */
@Injectable()
export class PurchaseClaimer {
  constructor(
    private readonly database: Database,
    private readonly purchases: PurchaseRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly changer: SubscriptionChanger,
    private readonly plans: Plans,
    private readonly terms: BillingTerms,
    private readonly shards: Shards,
    private readonly bus: Bus,
  ) {}

  /** @throws AppError PURCHASE_CLAIMED, PURCHASE_REFUSED for a product without a plan, SUBSCRIPTION_CHANGED */
  async claim(
    context: AccountContext,
    verifier: StoreVerifier,
    purchase: StorePurchase,
  ): Promise<AppliedPurchase> {
    const { accountId } = context.credential;
    await this.#claimAmongShards(context, verifier, purchase);
    return this.database.transaction(async (tx) => {
      const claimed = await this.purchases.claim(tx, accountId, verifier.store, purchase);
      const plan = this.#planOf(verifier, claimed.productId);
      const { state, now } = await this.subscriptions.read(tx, accountId);
      const paid = { store: verifier.store, plan, expiresAt: claimed.expiresAt };
      if (isApplied(state, paid)) return { ...claimed, state };
      const at = Math.max(now, state.changedAt);
      const quote = quoteStorePurchase(state, this.terms, paid, at);
      await this.changer.apply(tx, accountId, state, quote, { isForced: true, cause: causeOfCall(context) });
      return { ...claimed, state: quote.next };
    });
  }

  /** @throws AppError PURCHASE_REFUSED for a product without a plan */
  #planOf({ products }: StoreVerifier, productId: string): string {
    const plan = products.get(productId);
    if (plan === undefined || !this.plans.find(plan)) throw new AppError('PURCHASE_REFUSED');
    return plan;
  }

  /**
   * An account of any shard may bring the proof, so one shard binds a purchase first, which this one has not seen (ADR 63). It stays bound if
   * the rest fails: the same account may try again.
   */
  async #claimAmongShards(
    context: AccountContext,
    verifier: StoreVerifier,
    purchase: StorePurchase,
  ): Promise<void> {
    const { accountId } = context.credential;
    const { store } = verifier;
    const { own, deciding } = this.shards;
    if (own === deciding || (await this.purchases.isKnown(this.database, accountId, store, purchase))) return;
    this.#planOf(verifier, purchase.productId); // a purchase that nothing can come of is bound to nobody
    const body = {
      account_id: accountId,
      store,
      original_id: purchase.originalId,
      ...(purchase.linkedId !== null && { linked_id: purchase.linkedId }),
      product_id: purchase.productId,
      expires_at: purchase.expiresAt,
    };
    // Within the transaction of a keyed call, whose connection it must not hold for long.
    const deadlineMs = Math.min(context.deadlineMs, Date.now() + CLAIM_MS_MAX);
    await this.bus.callShard(claimPurchase, { body }, serviceContext({ ...context, deadlineMs }), deciding);
  }
}

function isApplied(
  { status, store, plan, periodEnd }: SubscriptionState,
  paid: { readonly store: Store; readonly plan: string; readonly expiresAt: number },
): boolean {
  return status === 'active' && store === paid.store && plan === paid.plan && periodEnd === paid.expiresAt;
}
