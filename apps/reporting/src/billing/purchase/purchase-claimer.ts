import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import type { Store } from '@vaultsvc/contracts/reporting';
import { Database, type Transaction } from '@vaultsvc/database';
import { causeOfCall } from '../../audit/own-record.js';
import { Plans } from '../../pool/plans.js';
import { BillingTerms } from '../subscription/billing-terms.js';
import { quoteStorePurchase } from '../quote/quote.js';
import type { SubscriptionState } from '../quote/subscription-state.js';
import { SubscriptionChanger } from '../subscription/subscription-changer.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { PurchaseRepository, type ClaimedPurchase } from './purchase.repository.js';
import type { StorePurchase, StoreVerifier } from './store-verifier.js';

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
  ) {}

  /** @throws AppError PURCHASE_CLAIMED, PURCHASE_REFUSED for a product without a plan, SUBSCRIPTION_CHANGED */
  claim(context: AccountContext, verifier: StoreVerifier, purchase: StorePurchase): Promise<AppliedPurchase> {
    const { accountId } = context.credential;
    return this.database.transaction(async (tx) => {
      const claimed = await this.#claim(tx, accountId, verifier.store, purchase);
      const plan = verifier.products.get(claimed.productId);
      if (plan === undefined || !this.plans.find(plan)) throw new AppError('PURCHASE_REFUSED');
      const { state, now } = await this.subscriptions.read(tx, accountId);
      const paid = { store: verifier.store, plan, expiresAt: claimed.expiresAt };
      if (isApplied(state, paid)) return { ...claimed, state };
      const at = Math.max(now, state.changedAt);
      const quote = quoteStorePurchase(state, this.terms, paid, at);
      await this.changer.apply(tx, accountId, state, quote, { isForced: true, cause: causeOfCall(context) });
      return { ...claimed, state: quote.next };
    });
  }

  /** The purchase that this one replaces is claimed too: nobody else can bring its older proof. */
  async #claim(
    tx: Transaction,
    accountId: string,
    store: Store,
    purchase: StorePurchase,
  ): Promise<ClaimedPurchase> {
    const { originalId, linkedId } = purchase;
    const isOurs =
      linkedId === null || (await this.purchases.claim(tx, accountId, store, linkedId, purchase));
    const claimed = isOurs && (await this.purchases.claim(tx, accountId, store, originalId, purchase));
    if (!claimed) throw new AppError('PURCHASE_CLAIMED');
    return claimed;
  }
}

function isApplied(
  { status, store, plan, periodEnd }: SubscriptionState,
  paid: { readonly store: Store; readonly plan: string; readonly expiresAt: number },
): boolean {
  return status === 'active' && store === paid.store && plan === paid.plan && periodEnd === paid.expiresAt;
}
