import { billingTexts as texts } from '../../texts/billing.js';
import { commonTexts } from '../../texts/common.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { dateText } from '../../ui/format.js';
import { saveText } from '../../ui/save-text.js';
import { invoiceSheet, lineText, spanText, totalsOf } from './invoice-sheet.js';
import { moneyText } from './money-text.js';
import type { Invoice } from './use-billing.js';

interface Props {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}

/** The lines of an invoice. */
export function InvoiceDialog({ invoice, onClose }: Props) {
  const { invoice_id: id, created_at: created, lines } = invoice;
  return (
    <Dialog title={texts.invoiceOf(dateText(created))} onClose={onClose}>
      <p className="hint">
        {texts.number}: <bdi>{id}</bdi>
      </p>
      <ul className="lines">
        {lines.map((line, index) => (
          <li key={index} className="pair">
            <span>
              {lineText(line)}
              <span className="hint"> {spanText(line)}</span>
            </span>
            <span>{moneyText(line.amount)}</span>
          </li>
        ))}
      </ul>
      <dl className="lines">
        {totalsOf(invoice).map(([name, amount]) => (
          <div key={name} className="pair">
            <dt>{name}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button onPress={() => saveText(invoiceSheet(invoice), texts.fileName(String(id)))}>
          {texts.save}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}
