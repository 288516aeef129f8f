import { useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../session/session-context.js';
import { billingTexts as texts } from '../../texts/billing.js';
import { FormDialog } from '../../ui/dialog.js';
import { toast } from '../../ui/toast.js';
import { billingErrorText } from './billing-error-text.js';
import { moneyText } from './money-text.js';
import { billingKeys, useSubscription, type Invoice } from './use-billing.js';

interface Props {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}

/** Pays an invoice with the provider; without one, notes that it was paid. */
export function PayDialog({ invoice, onClose }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const isManual = useSubscription().data?.biller === 'manual';
  const amount = moneyText(invoice.amount_due);
  const pay = async () => {
    await client.POST('/v1/billing/charge', { body: { invoice_id: String(invoice.invoice_id) } });
    await Promise.all([
      queries.invalidateQueries({ queryKey: billingKeys.invoices }),
      queries.invalidateQueries({ queryKey: billingKeys.subscription }),
    ]);
    toast(texts.paid);
  };
  return (
    <FormDialog
      title={isManual ? texts.markTitle : texts.payTitle}
      submit={isManual ? texts.markPaid : texts.pay}
      act={pay}
      explain={billingErrorText}
      onClose={onClose}
    >
      <p>{isManual ? texts.markText(amount) : texts.payText(amount)}</p>
    </FormDialog>
  );
}
