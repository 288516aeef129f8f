import { useId, useState } from 'react';
import { billingTexts as texts } from '../../texts/billing.js';
import { commonTexts } from '../../texts/common.js';
import { Button } from '../../ui/button.js';
import { List } from '../../ui/list.js';
import { focusHeading } from '../../ui/page.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { InvoiceDialog } from './invoice-dialog.js';
import { InvoiceItem } from './invoice-item.js';
import { PayDialog } from './pay-dialog.js';
import { useInvoices, type Invoice } from './use-billing.js';

type Task = { readonly type: 'show' | 'pay'; readonly invoice: Invoice };

/** The invoices, newest first; shown, saved and paid. */
export function InvoicesSection() {
  const id = useId();
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{texts.invoices}</h2>
      <Invoices onTask={setTask} />
      {task?.type === 'show' && <InvoiceDialog invoice={task.invoice} onClose={close} />}
      {task?.type === 'pay' && <PayDialog invoice={task.invoice} onClose={close} />}
    </section>
  );
}

function Invoices({ onTask }: { readonly onTask: (task: Task) => void }) {
  const read = useInvoices();
  if (read.isPending) return <Loading />;
  if (read.isError) return <Failed error={read.error} retry={() => void read.refetch()} />;
  const all = read.data.pages.flatMap(({ invoices }) => invoices);
  if (all.length === 0) return <Empty icon="card" text={texts.noInvoices} />;
  const more = async () => {
    const { hasNextPage } = await read.fetchNextPage();
    // The button, which had the focus, is gone.
    if (!hasNextPage) focusHeading();
  };
  return (
    <>
      <List label={texts.invoices} items={all} keyOf={({ invoice_id: id }) => String(id)}>
        {(invoice) => (
          <InvoiceItem
            invoice={invoice}
            onShow={() => onTask({ type: 'show', invoice })}
            onPay={() => onTask({ type: 'pay', invoice })}
          />
        )}
      </List>
      {read.hasNextPage && (
        <div className="actions">
          <Button kind="quiet" isBusy={read.isFetchingNextPage} onPress={() => void more()}>
            {commonTexts.more}
          </Button>
        </div>
      )}
    </>
  );
}
