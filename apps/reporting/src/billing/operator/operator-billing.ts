import { Injectable } from '@nestjs/common';
import { AppError, decode } from '@vaultsvc/contracts';
import { Adjustment, NewSubscription, type Invoice, type Subscription } from '@vaultsvc/contracts/reporting';
import { Database, statement } from '@vaultsvc/database';
import { causeOfOperator } from '../../audit/own-record.js';
import { InvoiceRepository } from '../invoice/invoice.repository.js';
import { presentInvoice } from '../invoice/present-invoice.js';
import { PaymentCollector } from '../payment/payment-collector.js';
import { PaymentRepository } from '../payment/payment.repository.js';
import { Adjuster } from '../subscription/adjuster.js';
import { SubscriptionPresenter } from '../subscription/subscription-presenter.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import type { BillingOrder } from './read-arguments.js';

/** The subscription of an account, and its open invoices, newest first. */
export interface AccountBilling {
  readonly account_id: string;
  readonly subscription: Subscription;
  readonly open_invoices: readonly Invoice[];
}

const INVOICES_MAX = 100;
const COMMAND = 'set-billing';

/** The changes that the operator makes to the billing of an account (OPEN-65). They are in the account's audit log. */
@Injectable()
export class OperatorBilling {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    private readonly invoices: InvoiceRepository,
    private readonly payments: PaymentRepository,
    private readonly collector: PaymentCollector,
    private readonly adjuster: Adjuster,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  /** @throws Error for an unknown account, AppError of a change that is not possible */
  async carryOut({ accountId, change, paidInvoiceId }: BillingOrder): Promise<AccountBilling> {
    await this.#assertKnown(accountId);
    if (change) await this.#change(accountId, change);
    if (paidInvoiceId !== null) await this.#markPaid(accountId, paidInvoiceId);
    const { state } = await this.subscriptions.read(this.database, accountId);
    const rows = await this.database.query<{ id: string }>(findOpen, [accountId, INVOICES_MAX]);
    const found = await Promise.all(rows.map(({ id }) => this.invoices.find(this.database, accountId, id)));
    return {
      account_id: accountId,
      subscription: this.presenter.present(state),
      open_invoices: found.flatMap((invoice) => (invoice ? [presentInvoice(invoice)] : [])),
    };
  }

  /** Every account has entries in the audit log; without this check, a mistyped id would get a subscription. */
  async #assertKnown(accountId: string): Promise<void> {
    if ((await this.database.query(findAccount, [accountId])).length === 0)
      throw new Error(`there is no account ${accountId}`);
  }

  /** An ended subscription is started again, with a new period. */
  async #change(accountId: string, change: Adjustment): Promise<void> {
    const { state } = await this.subscriptions.read(this.database, accountId);
    const quoted =
      state.status === 'active'
        ? await this.adjuster.quoteAdjustment(accountId, decode(Adjustment, change))
        : await this.adjuster.quoteStart(accountId, decode(NewSubscription, { plan: state.plan, ...change }));
    await this.adjuster.make(accountId, causeOfOperator(COMMAND), quoted);
  }

  async #markPaid(accountId: string, id: string): Promise<void> {
    const order = await this.payments.begin(this.database, accountId, id, 'manual');
    if (order) return void (await this.collector.collect(order, causeOfOperator(COMMAND)));
    const invoice = await this.invoices.find(this.database, accountId, id);
    if (!invoice) throw new AppError('INVOICE_NOT_FOUND');
    if (invoice.status !== 'paid') throw new AppError('INVOICE_NOT_OPEN');
  }
}

const findAccount = statement('billing.find-account', `SELECT 1 FROM audit_heads WHERE account_id = $1`);

const findOpen = statement(
  'billing.find-open-invoices',
  `SELECT id FROM invoices WHERE account_id = $1 AND status = 'open' ORDER BY created_at DESC, id LIMIT $2`,
);
