import { billingTexts as texts } from '../../texts/billing.js';
import { commonTexts } from '../../texts/common.js';
import { Button } from '../../ui/button.js';
import { dateText } from '../../ui/format.js';
import { Badge, Row, type BadgeKind } from '../../ui/list.js';
import { saveText } from '../../ui/save-text.js';
import { invoiceSheet } from './invoice-sheet.js';
import { moneyText } from './money-text.js';
import { useSubscription, type Invoice } from './use-billing.js';

const badges: Readonly<Record<Invoice['status'], BadgeKind>> = {
  draft: 'plain',
  open: 'warn',
  paid: 'good',
  void: 'plain',
};

interface Props {
  readonly invoice: Invoice;
  readonly onShow: () => void;
  readonly onPay: () => void;
}

/** An invoice with its amount and state. */
export function InvoiceItem({ invoice, onShow, onPay }: Props) {
  const { status, total, created_at: created } = invoice;
  const name = texts.invoiceOf(dateText(created));
  const save = () => saveText(invoiceSheet(invoice), texts.fileName(String(invoice.invoice_id)));
  return (
    <Row
      title={moneyText(total)}
      state={<Badge kind={badges[status]}>{texts.invoiceStatuses[status]}</Badge>}
      details={detailsOf(invoice).join(' · ')}
      actions={
        <>
          {status === 'open' && <PayButton name={name} onPay={onPay} />}
          <Button kind="quiet" label={commonTexts.actionOn(texts.show, name)} onPress={onShow}>
            {texts.show}
          </Button>
          <Button kind="quiet" label={commonTexts.actionOn(texts.save, name)} onPress={save}>
            {texts.save}
          </Button>
        </>
      }
    />
  );
}

/** A store collects its own payments. */
function PayButton({ name, onPay }: { readonly name: string; readonly onPay: () => void }) {
  const biller = useSubscription().data?.biller;
  if (biller !== 'manual' && biller !== 'stripe') return null;
  const verb = biller === 'manual' ? texts.markPaid : texts.pay;
  return (
    <Button kind="quiet" label={commonTexts.actionOn(verb, name)} onPress={onPay}>
      {verb}
    </Button>
  );
}

function detailsOf(invoice: Invoice): readonly string[] {
  const { billing_reason: reason, created_at: created, paid_at: paid, status, amount_due: due } = invoice;
  return [
    texts.reasons[reason],
    dateText(created),
    ...(status === 'open' ? [texts.due(moneyText(due))] : []),
    ...(paid === null ? [] : [texts.paidOn(dateText(paid))]),
  ];
}
