import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schema } from '@vaultsvc/client';
import { useClient } from '../../session/session-context.js';
import { commonTexts } from '../../texts/common.js';
import { channelTexts, notifyTexts as texts, sendStatusTexts } from '../../texts/notifications.js';
import { Button } from '../../ui/button.js';
import { momentText } from '../../ui/format.js';
import { Badge, List, Row, type BadgeKind } from '../../ui/list.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { notifyKeys } from './shared/notify-keys.js';
import { NotifyPage } from './shared/notify-page.js';

type Send = Schema<'SendSummary'>;

const PAGE = 50;

/** The notifications that the organization has sent, newest first. */
export function Place() {
  return (
    <NotifyPage title={texts.title} hint={texts.hint} actions={<Actions />}>
      <Sends />
    </NotifyPage>
  );
}

function Actions() {
  return (
    <div className="actions">
      <Link to="/notifications/new" className="button main">
        {texts.compose}
      </Link>
      <Link to="/notifications/receipts" className="button quiet">
        {texts.check}
      </Link>
    </div>
  );
}

function useSends() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: notifyKeys.sends,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: PAGE, cursor };
      return (await client.GET('/v1/products/notify/inbox', { params: { query }, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
}

function Sends() {
  const sends = useSends();
  if (sends.isPending) return <Loading />;
  if (sends.isError) return <Failed error={sends.error} retry={() => void sends.refetch()} />;
  const all = sends.data.pages.flatMap((page) => page.sends);
  if (all.length === 0) return <Empty icon="bell" text={texts.empty} />;
  return (
    <>
      <List label={texts.list} items={all} keyOf={({ send_id: id }) => id}>
        {(send) => <SendRow send={send} />}
      </List>
      {sends.hasNextPage && (
        <div className="actions">
          <Button kind="quiet" isBusy={sends.isFetchingNextPage} onPress={() => void sends.fetchNextPage()}>
            {commonTexts.more}
          </Button>
        </div>
      )}
    </>
  );
}

function SendRow({ send }: { readonly send: Send }) {
  const { send_id: sendId, title, status, channels, recipients, seen, created_at: created } = send;
  const names = channels.map((channel) => channelTexts[channel as keyof typeof channelTexts] ?? channel);
  const details = [
    texts.sentOn(momentText(created)),
    texts.recipients(recipients),
    texts.opened(seen, recipients),
    names.join(', '),
  ];
  return (
    <Row
      title={
        <Link className="row-link" to="/notifications/sends/$sendId" params={{ sendId }}>
          <bdi>{title ?? texts.untitled}</bdi>
        </Link>
      }
      state={<Badge kind={statusKinds[status]}>{sendStatusTexts[status]}</Badge>}
      details={details.join(' · ')}
    />
  );
}

const statusKinds: Readonly<Record<Send['status'], BadgeKind>> = {
  pending: 'plain',
  delivering: 'plain',
  delivered: 'good',
  partial: 'warn',
  failed: 'bad',
};
