import type { Schema } from '@vaultsvc/client';
import { billingTexts as texts } from '../../texts/billing.js';
import { limitText } from './amounts-section.js';
import type { ChangedItem } from './change-of.js';
import { moneyText } from './money-text.js';

interface Props {
  readonly preview: Schema<'AdjustmentPreview'>;
  readonly item: ChangedItem;
}

/** A change before it is confirmed: the new limit, the new price, and what is due now. */
export function CostPreview({ preview: { subscription, invoice }, item }: Props) {
  return (
    <section className="cost stack tight" aria-label={texts.costTitle}>
      <dl className="facts">
        <dt>{texts.newLimits[item]}</dt>
        <dd>{limitText(subscription, item)}</dd>
        <dt>{texts.newPrice}</dt>
        <dd>{texts.perPeriod(moneyText(subscription.price))}</dd>
        <dt>{texts.dueNow}</dt>
        <dd>
          <strong>{dueText(invoice)}</strong>
        </dd>
      </dl>
      {invoice && <p className="hint">{texts.prorated}</p>}
    </section>
  );
}

function dueText(invoice: Schema<'Invoice'> | null): string {
  if (!invoice) return texts.nothingDue;
  const { total, amount_due: due } = invoice;
  if (total.amount >= 0) return moneyText(due);
  return texts.credited(moneyText({ ...total, amount: -total.amount }));
}
