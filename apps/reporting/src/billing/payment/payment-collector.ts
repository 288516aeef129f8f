import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vaultsvc/database';
import { AuditRepository } from '../../audit/audit.repository.js';
import { ownRecord, type AuditCause } from '../../audit/own-record.js';
import { InvoiceRepository } from '../invoice/invoice.repository.js';
import { BillingProvider, type PaymentOrder, type PaymentOutcome } from '../provider/billing-provider.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { PaymentRepository, type DecidedPayment } from './payment.repository.js';

/**
 * Collects payments whose intent is recorded. The provider is called between two transactions, and its idempotency key is the id
 * of the payment: after a crash the job repeats the call, and the provider collects once.
 */
@Injectable()
export class PaymentCollector {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentRepository,
    private readonly invoices: InvoiceRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly provider: BillingProvider,
    private readonly audit: AuditRepository,
  ) {}

  async collect(order: PaymentOrder, cause: AuditCause): Promise<PaymentOutcome> {
    const outcome = await this.provider.collect(order);
    await this.database.transaction((tx) => this.record(tx, order.id, outcome, cause));
    return outcome;
  }

  /** Records an outcome once, whoever reports it: the call, the job or a webhook. */
  async record(
    tx: Transaction,
    paymentId: string,
    outcome: PaymentOutcome,
    cause: AuditCause,
  ): Promise<void> {
    if (outcome.status === 'pending') return;
    const payment = await this.payments.decide(tx, paymentId, outcome);
    if (!payment || outcome.status === 'failed') return;
    if (await this.invoices.pay(tx, payment.invoiceId)) return this.#audit(tx, paymentId, payment, cause);
    // Another payment has paid the invoice: what came in twice is credited, not lost.
    await this.subscriptions.addCredit(tx, payment.accountId, payment.amount);
  }

  async #audit(
    tx: Transaction,
    paymentId: string,
    { accountId, invoiceId, amount }: DecidedPayment,
    cause: AuditCause,
  ): Promise<void> {
    const details = { invoice_id: invoiceId, payment_id: paymentId, amount };
    await this.audit.append(tx, [ownRecord(accountId, cause, { type: 'billing_invoice_paid', details })]);
  }
}
