import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { Adjustment, ChangedSubscription, NewSubscription } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import type { AuditCause } from '../../audit/own-record.js';
import { Plans } from '../../pool/plans.js';
import { presentInvoice } from '../invoice/present-invoice.js';
import { BillingProvider } from '../provider/billing-provider.js';
import { BillingTerms } from './billing-terms.js';
import { quoteAdjustment, quoteStart } from '../quote/quote.js';
import type { Quote } from '../quote/settle.js';
import type { SubscriptionState } from '../quote/subscription-state.js';
import { assertAdjustable, assertOurs, instantOf, readChange, readConfiguration } from './change-request.js';
import { SubscriptionChanger } from './subscription-changer.js';
import { SubscriptionPresenter } from './subscription-presenter.js';
import { SubscriptionRepository, type LoadedSubscription } from './subscription.repository.js';

/** A change that is calculated but not made. */
export interface QuotedChange extends LoadedSubscription {
  readonly quote: Quote;
  /** The instant that it is calculated for, in epoch seconds. */
  readonly at: number;
}

/** Calculates and makes the changes that callers and the operator ask for. */
@Injectable()
export class Adjuster {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    private readonly changer: SubscriptionChanger,
    private readonly presenter: SubscriptionPresenter,
    private readonly provider: BillingProvider,
    private readonly plans: Plans,
    private readonly terms: BillingTerms,
  ) {}

  /** @throws AppError of a change that is not possible now */
  async quoteAdjustment(accountId: string, body: Adjustment): Promise<QuotedChange> {
    const change = readChange(this.plans, body);
    const read = await this.subscriptions.read(this.database, accountId);
    const at = instantOf(body, read.state, read.now);
    assertAdjustable(read.state);
    return { ...read, at, quote: quoteAdjustment(read.state, this.terms, change, at) };
  }

  /** @throws AppError SUBSCRIPTION_OF_STORE, VALIDATION_ERROR */
  async quoteStart(accountId: string, body: NewSubscription): Promise<QuotedChange> {
    const configuration = readConfiguration(this.plans, body);
    const read = await this.subscriptions.read(this.database, accountId);
    assertOurs(read.state);
    const at = Math.max(read.now, read.state.changedAt);
    return { ...read, at, quote: quoteStart(read.state, this.terms, configuration, at) };
  }

  /** @throws AppError SUBSCRIPTION_CHANGED, ALLOWANCE_IN_USE, PAYMENT_METHOD_MISSING */
  async make(
    accountId: string,
    cause: AuditCause,
    { state, quote, defaultPaymentMethod }: QuotedChange,
  ): Promise<ChangedSubscription> {
    const needsMethod = this.provider.chargesMethods && quote.amountDue > 0;
    if (needsMethod && defaultPaymentMethod === null) throw new AppError('PAYMENT_METHOD_MISSING');
    const invoice = await this.database.transaction((tx) =>
      this.changer.apply(tx, accountId, state, quote, { cause }),
    );
    return this.#changed(quote.next, invoice && presentInvoice(invoice));
  }

  #changed(state: SubscriptionState, invoice: ChangedSubscription['invoice']): ChangedSubscription {
    return { subscription: this.presenter.present(state), invoice };
  }
}
