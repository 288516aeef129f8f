import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { causeOfJob } from '../../audit/own-record.js';
import { Plans } from '../../pool/plans.js';
import { InvoiceRepository } from '../invoice/invoice.repository.js';
import { BillingTerms } from '../subscription/billing-terms.js';
import { configurationOf } from '../quote/subscription-state.js';
import { quoteStart } from '../quote/quote.js';
import { SubscriptionChanger } from '../subscription/subscription-changer.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { CheckoutRepository, type OpenCheckoutRecord } from './checkout.repository.js';

const BATCH_MAX = 100;

/** Ends checkouts: as paid, which starts the subscription, or as expired. As a job: those whose end was never reported. */
@Injectable()
export class CheckoutCompleter implements Job {
  readonly everySeconds = 3_600;

  constructor(
    private readonly database: Database,
    private readonly checkouts: CheckoutRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly invoices: InvoiceRepository,
    private readonly changer: SubscriptionChanger,
    private readonly plans: Plans,
    private readonly terms: BillingTerms,
  ) {}

  /**
   * Starts the subscription that was paid, once. If the subscription has changed since the checkout was opened, its invoice is
   * void and the payment is credited.
   * @param amount what was paid, in minor units
   */
  async complete(tx: Transaction, id: string, amount: number): Promise<void> {
    const checkout = await this.checkouts.complete(tx, id);
    if (!checkout || (await this.#start(tx, checkout))) return;
    await this.invoices.voidDraft(tx, checkout.invoiceId);
    await this.subscriptions.addCredit(tx, checkout.accountId, amount);
  }

  async expire(tx: Transaction, id: string): Promise<void> {
    const invoiceId = await this.checkouts.expire(tx, id);
    if (invoiceId !== undefined) await this.invoices.voidDraft(tx, invoiceId);
  }

  async run(): Promise<void> {
    for (const id of await this.checkouts.findStale(this.database, BATCH_MAX))
      await this.database.transaction((tx) => this.expire(tx, id));
  }

  /** False when the subscription is not as it was. Replays the quote of the draft, so what was paid is what is applied. */
  async #start(tx: Transaction, checkout: OpenCheckoutRecord): Promise<boolean> {
    const { accountId, invoiceId, version, at } = checkout;
    const { state } = await this.subscriptions.read(tx, accountId);
    if (state.version !== version || !this.plans.find(checkout.plan)) return false;
    if (!(await this.invoices.pay(tx, invoiceId))) return false;
    const quote = quoteStart(state, this.terms, configurationOf(checkout), at);
    // If another transaction changes it after this one has read it, this one fails, and the event is delivered again.
    await this.changer.apply(tx, accountId, state, quote, {
      isInvoiced: true,
      isForced: true,
      cause: causeOfJob('complete-checkouts'),
    });
    return true;
  }
}
