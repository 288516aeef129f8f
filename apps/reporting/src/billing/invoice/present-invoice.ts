import type { Invoice, InvoiceLine, Money } from '@vaultsvc/contracts/reporting';
import type { Quote, QuotedLine } from '../quote/settle.js';
import type { InvoiceRecord } from './invoice.repository.js';

/** An invoice as callers see it. */
export function presentInvoice(invoice: InvoiceRecord): Invoice {
  const money = (amount: number): Money => ({ amount, currency: invoice.currency });
  return {
    invoice_id: invoice.id,
    status: invoice.status,
    billing_reason: invoice.reason,
    lines: invoice.lines.map((line) => presentLine(line, money)),
    total: money(invoice.total),
    credit_applied: money(invoice.creditApplied),
    amount_due: money(invoice.amountDue),
    created_at: invoice.createdAt,
    paid_at: invoice.paidAt,
  };
}

/** The invoice that a quote would become; null when it would not become one. */
export function presentQuote(quote: Quote, currency: string, at: number): Invoice | null {
  if (quote.lines.length === 0) return null;
  const money = (amount: number): Money => ({ amount, currency });
  const isPaid = quote.amountDue === 0;
  return {
    invoice_id: null,
    status: isPaid ? 'paid' : 'open',
    billing_reason: quote.reason,
    lines: quote.lines.map((line) => presentLine(line, money)),
    total: money(quote.total),
    credit_applied: money(quote.creditApplied),
    amount_due: money(quote.amountDue),
    created_at: at,
    paid_at: isPaid ? at : null,
  };
}

function presentLine(line: QuotedLine, money: (amount: number) => Money): InvoiceLine {
  return {
    item: line.item,
    plan: line.plan,
    quantity: line.quantity,
    unit_price: money(line.unitAmount),
    amount: money(line.amount),
    proration: line.isProration,
    period_start: line.periodStart,
    period_end: line.periodEnd,
  };
}
