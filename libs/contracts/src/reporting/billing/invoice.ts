import { exampleTime } from '../../core/example-values.js';
import { Example, exampleOf } from '../../core/example.js';
import { Cursor, EpochSeconds, Flag, IdOf, Int, ListOf, Nested, OneOf, Text } from '../../core/fields.js';
import { operation } from '../../core/operation.js';
import { Money } from './money.js';

/** `draft`: of an open checkout. `open`: to be paid. `paid`: nothing is due any more. `void`: it never became due. */
export const invoiceStatuses = ['draft', 'open', 'paid', 'void'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** Why an invoice was made. */
export const billingReasons = ['subscription_create', 'subscription_update', 'subscription_cycle'] as const;
export type BillingReason = (typeof billingReasons)[number];

/** What can be billed. Usage is not among it (OPEN-65). */
export const billedItems = ['plan', 'seat', 'storage_block', 'bandwidth_block'] as const;
export type BilledItem = (typeof billedItems)[number];

/** A line of an example, for a whole period. */
const exampleLine = (item: BilledItem, quantity: number, price: number) => ({
  item,
  plan: 'team',
  quantity,
  unit_price: { amount: price, currency: 'eur' },
  amount: { amount: price * quantity, currency: 'eur' },
  proration: false,
  period_start: exampleTime(),
  period_end: exampleTime(30 * 86_400),
});

/** The totals of an example without credit. */
const exampleTotals = (amount: number) => ({
  total: { amount, currency: 'eur' },
  credit_applied: { amount: 0, currency: 'eur' },
  amount_due: { amount, currency: 'eur' },
});

/** A line of an invoice. */
export class InvoiceLine {
  @OneOf(billedItems) item: BilledItem;
  @Text({ max: 40, description: 'The plan whose price applies.' }) plan: string;
  @Int({ min: 1 }) quantity: number;
  @Nested(() => Money, { description: 'For one, for a whole period.' }) unit_price: Money;
  @Nested(() => Money, { description: 'Negative: credit for time that was paid and is not used.' })
  amount: Money;
  @Flag({ description: 'The line is for a part of a period.' }) proration: boolean;
  @EpochSeconds() period_start: number;
  @EpochSeconds() period_end: number;
}

/** An invoice. Its lines add up to its total. */
@Example({
  status: 'open',
  lines: [exampleLine('plan', 1, 4_900), exampleLine('seat', 2, 400)],
  ...exampleTotals(5_700),
  paid_at: null,
})
export class Invoice {
  @IdOf('in', { nullable: true, description: 'null in a preview.' }) invoice_id: string | null;
  @OneOf(invoiceStatuses) status: InvoiceStatus;
  @OneOf(billingReasons) billing_reason: BillingReason;
  @ListOf(() => InvoiceLine) lines: InvoiceLine[];
  @Nested(() => Money, { description: 'The sum of the lines. Negative: it is added to the credit balance.' })
  total: Money;
  @Nested(() => Money, { description: 'Taken from the credit balance. Negative: an earlier small amount.' })
  credit_applied: Money;
  @Nested(() => Money, { description: 'Left to pay: total less credit_applied, at least 0.' })
  amount_due: Money;
  @EpochSeconds() created_at: number;
  @EpochSeconds({ nullable: true, description: 'null: not paid.' }) paid_at: number | null;
}

/** The invoice of two more seats, in examples. */
export const EXAMPLE_ADJUSTMENT_INVOICE = {
  ...exampleOf(Invoice),
  billing_reason: 'subscription_update',
  lines: [exampleLine('seat', 2, 400)],
  ...exampleTotals(800),
};

/** An invoice for which nothing is due any more. */
@Example({ status: 'paid', paid_at: exampleTime(30) })
export class PaidInvoice extends Invoice {}

/** Query of `listInvoices`. */
export class InvoiceQuery {
  @OneOf(invoiceStatuses, { optional: true, description: 'Only invoices with this status.' })
  status?: InvoiceStatus;
  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
}

/** A page of invoices. */
export class InvoicePage {
  @ListOf(() => Invoice) invoices: Invoice[];
  @Int({ min: 0, description: 'Invoices on this page.' }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** Lists the invoices of the account. */
export const listInvoices = operation({
  name: 'reporting.list-invoices',
  summary: 'Lists the invoices of the account with their lines, newest first.',
  http: { method: 'GET', path: '/v1/billing/invoices', status: 200 },
  access: { credential: 'key' },
  query: InvoiceQuery,
  reply: InvoicePage,
  cursor: 'next_cursor',
  repeatable: true,
});

/** Body of `chargeInvoice`. */
export class InvoiceToCharge {
  @IdOf('in') invoice_id: string;
}

/**
 * Collects an open invoice once, however often it is called (OPEN-65). `manual` records that it was paid; `stripe` charges the
 * default payment method.
 */
export const chargeInvoice = operation({
  name: 'reporting.charge-invoice',
  summary: 'Collects one open invoice. Repeating the call returns the paid invoice and charges nothing.',
  http: { method: 'POST', path: '/v1/billing/charge', status: 200 },
  idempotent: { ownTransactions: true },
  access: { credential: 'key', role: 'admin' },
  body: InvoiceToCharge,
  reply: PaidInvoice,
  errors: [
    'BILLING_OF_OPERATOR',
    'INVOICE_NOT_FOUND',
    'INVOICE_NOT_OPEN',
    'PAYMENT_METHOD_MISSING',
    'PAYMENT_DECLINED',
    'PAYMENT_PENDING',
  ],
});
