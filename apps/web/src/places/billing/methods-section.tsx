import { useId, useState } from 'react';
import { useClient } from '../../session/session-context.js';
import { billingTexts as texts } from '../../texts/billing.js';
import { billingErrorText } from './billing-error-text.js';
import { Button } from '../../ui/button.js';
import { List } from '../../ui/list.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { AddMethodDialog, RemoveMethodDialog } from './method-dialogs.js';
import { leaveFor } from './leave-for.js';
import { MethodItem } from './method-item.js';
import { usePaymentMethods, type PaymentMethod } from './use-billing.js';
import { useWork } from '../../ui/use-work.js';

/** The payment methods, to one of which invoices are charged. */
export function MethodsSection() {
  const id = useId();
  const client = useClient();
  const [isAdding, setAdding] = useState(false);
  const [removed, remove] = useState<PaymentMethod>();
  const { isBusy, run, problem } = useWork(billingErrorText);
  // A provider has a page of its own for this; without one there is only a label to note.
  const add = async () => {
    const { data } = await client.POST('/v1/billing/portal');
    if (data.url === null) setAdding(true);
    else leaveFor(data.url);
  };
  return (
    <section className="stack" aria-labelledby={id}>
      <div className="section-head">
        <div>
          <h2 id={id}>{texts.methods}</h2>
          <p className="hint">{texts.methodsHint}</p>
        </div>
        <Button kind="quiet" isBusy={isBusy} onPress={() => run(add)}>
          {texts.addMethod}
        </Button>
      </div>
      {problem}
      <Methods onRemove={remove} />
      {isAdding && <AddMethodDialog onClose={() => setAdding(false)} />}
      {removed && <RemoveMethodDialog method={removed} onClose={() => remove(undefined)} />}
    </section>
  );
}

function Methods({ onRemove }: { readonly onRemove: (method: PaymentMethod) => void }) {
  const read = usePaymentMethods();
  if (read.isPending) return <Loading />;
  if (read.isError) return <Failed error={read.error} retry={() => void read.refetch()} />;
  if (read.data.length === 0) return <Empty icon="card" text={texts.noMethods} />;
  return (
    <List label={texts.methods} items={read.data} keyOf={({ payment_method_id: id }) => id}>
      {(method) => <MethodItem method={method} onRemove={() => onRemove(method)} />}
    </List>
  );
}
