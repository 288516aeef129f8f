import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useState } from 'react';
import { useClient } from '../../../session/session-context.js';
import { receiptTexts as texts } from '../../../texts/notify-send.js';
import { List } from '../../../ui/list.js';
import { Failed, Loading } from '../../../ui/states.js';
import { VirtualList } from '../../../ui/virtual-list.js';
import { notifyKeys } from '../shared/notify-keys.js';
import type { Finding } from '../verify/check-receipt.js';
import { ReceiptItem } from './receipt-item.js';
import type { SendState } from './send-report.js';

export type SendReceipt = Schema<'Receipt'>;

const ROWS_MAX = 100;

/** The receipts of a send, read again whenever a recipient has done something. */
function useReceipts({ send_id: sendId, recipients_of: recipients }: SendState) {
  const client = useClient();
  const acts = recipients.reduce((sum, { actions }) => sum + actions.length, 0);
  return useQuery({
    queryKey: [...notifyKeys.receipts(sendId), acts],
    queryFn: async ({ signal }) => {
      const params = { path: { send_id: sendId } };
      const { data } = await client.GET('/v1/products/notify/sends/{send_id}/receipts', { params, signal });
      return data.receipts;
    },
    placeholderData: (former) => former,
  });
}

export function Receipts({ send }: { readonly send: SendState }) {
  return (
    <section className="stack tight">
      <h2>{texts.title}</h2>
      <p className="hint">{texts.hint}</p>
      <Content send={send} />
    </section>
  );
}

function Content({ send }: { readonly send: SendState }) {
  const receipts = useReceipts(send);
  const [findings, setFindings] = useState<Readonly<Record<string, Finding>>>({});
  if (receipts.isPending) return <Loading />;
  if (receipts.isError) return <Failed error={receipts.error} retry={() => void receipts.refetch()} />;
  const all = receipts.data;
  if (all.length === 0) return <p>{texts.none}</p>;
  const Rows = all.length > ROWS_MAX ? VirtualList : List;
  return (
    <Rows label={texts.title} items={all} keyOf={keyOf}>
      {(receipt) => (
        <ReceiptItem
          sendId={send.send_id}
          receipt={receipt}
          finding={findings[keyOf(receipt)]}
          onFound={(finding) => setFindings((known) => ({ ...known, [keyOf(receipt)]: finding }))}
        />
      )}
    </Rows>
  );
}

/** A recipient does each action once. */
const keyOf = ({ recipient, action }: SendReceipt) => `${action} ${recipient}`;
