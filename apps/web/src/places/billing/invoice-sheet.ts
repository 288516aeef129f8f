import { billingTexts as texts } from '../../texts/billing.js';
import { dateText } from '../../ui/format.js';
import { moneyText } from './money-text.js';
import type { Invoice } from './use-billing.js';

type Line = Invoice['lines'][number];

export function lineText({ item, plan, quantity, unit_price: price }: Line): string {
  return texts.line(texts.billed[item](plan), quantity, moneyText(price));
}

export const spanText = ({ period_start: from, period_end: to }: Line): string =>
  texts.span(dateText(from), dateText(to));

/** The sums of an invoice by name; credit only where it was used. */
export function totalsOf({
  total,
  credit_applied: credit,
  amount_due: due,
}: Invoice): readonly [string, string][] {
  return [
    [texts.total, moneyText(total)],
    ...(credit.amount === 0
      ? []
      : [[texts.creditUsed, moneyText({ ...credit, amount: -credit.amount })] as [string, string]]),
    [texts.toPay, moneyText(due)],
  ];
}

/** An invoice as a text to keep. */
export function invoiceSheet(invoice: Invoice): string {
  const { invoice_id: id, status, created_at: created, lines } = invoice;
  return [
    `${texts.invoiceOf(dateText(created))} (${texts.invoiceStatuses[status]})`,
    `${texts.number}: ${id}`,
    '',
    ...lines.map((line) => `${lineText(line)}, ${spanText(line)}: ${moneyText(line.amount)}`),
    '',
    ...totalsOf(invoice).map(([name, amount]) => `${name}: ${amount}`),
    '',
  ].join('\n');
}
