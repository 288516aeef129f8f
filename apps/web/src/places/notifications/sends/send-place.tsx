import { Link, useParams } from '@tanstack/react-router';
import { ApiError } from '@vaultsvc/client';
import { errorText } from '../../../api/error-text.js';
import { notifyTexts, sendStatusTexts } from '../../../texts/notifications.js';
import { sendTexts as texts } from '../../../texts/notify-send.js';
import { momentText } from '../../../ui/format.js';
import { List } from '../../../ui/list.js';
import { Page } from '../../../ui/page.js';
import { Empty, Failed, Loading, Problem } from '../../../ui/states.js';
import { VirtualList } from '../../../ui/virtual-list.js';
import { useColleagues } from '../shared/use-colleagues.js';
import { Receipts } from './receipts.js';
import { RecipientItem } from './recipient-item.js';
import { refreshMs, useSend, type SendState } from './send-report.js';

/** Rows that a list draws at once. */
const ROWS_MAX = 100;

/** A sent notification: the state of each recipient, and the receipts of what they did. */
export function Place() {
  const { sendId = '' } = useParams({ strict: false }) as { readonly sendId?: string };
  const send = useSend(sendId);
  const title = send.data && (send.data.title ?? notifyTexts.untitled);
  return (
    <Page
      title={texts.title}
      heading={title && <bdi>{title}</bdi>}
      hint={<Link to="/notifications">{notifyTexts.all}</Link>}
    >
      {send.isPending && <Loading />}
      {send.isError && !send.data && <NotRead error={send.error} retry={() => void send.refetch()} />}
      {send.data && (
        <div className="sections">
          {send.isError && <Problem>{errorText(send.error)}</Problem>}
          <Summary send={send.data} />
          <Recipients send={send.data} />
          <Receipts send={send.data} />
        </div>
      )}
    </Page>
  );
}

function NotRead({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const isMissing = error instanceof ApiError && error.status === 404;
  return isMissing ? <Empty icon="bell" text={texts.missing} /> : <Failed error={error} retry={retry} />;
}

function Summary({ send }: { readonly send: SendState }) {
  const { status, recipients, seen, created_at: created, expires_at: expires, category } = send;
  const hasEnded = expires * 1_000 < Date.now();
  const facts = [
    texts.accepted(momentText(created)),
    notifyTexts.opened(seen, recipients),
    (hasEnded ? texts.ended : texts.opens)(momentText(expires)),
    category !== null && texts.category(category),
  ];
  return (
    <div className="stack tight">
      <p role="status">
        <strong>{sendStatusTexts[status]}</strong>
      </p>
      <p className="hint">{facts.filter(Boolean).join(' · ')}</p>
      {refreshMs(send) !== false && <p className="hint">{texts.refreshes}</p>}
    </div>
  );
}

function Recipients({ send }: { readonly send: SendState }) {
  const { data: colleagues = [] } = useColleagues();
  const names = new Map(colleagues.map(({ address, name }) => [address.toLowerCase(), name]));
  const all = send.recipients_of;
  const Rows = all.length > ROWS_MAX ? VirtualList : List;
  return (
    <section className="stack tight">
      <h2>{texts.recipients}</h2>
      <Rows label={texts.recipients} items={all} keyOf={({ recipient }) => recipient}>
        {(recipient) => (
          <RecipientItem
            sendId={send.send_id}
            recipient={recipient}
            name={names.get(recipient.recipient.toLowerCase())}
          />
        )}
      </Rows>
    </section>
  );
}
