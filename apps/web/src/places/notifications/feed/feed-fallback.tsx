import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../../../session/session-context.js';
import { feedTexts as texts } from '../../../texts/notify-feed.js';
import { momentText } from '../../../ui/format.js';
import { List, Row } from '../../../ui/list.js';
import { Failed } from '../../../ui/states.js';
import { notifyKeys } from '../shared/notify-keys.js';

const READ_MS = 10_000;
const LIMIT = 20;

/** While there is no socket: the newest sends of the channel, read again and again. The API has no other read of the feed. */
export function FeedFallback() {
  const client = useClient();
  const sends = useQuery({
    queryKey: notifyKeys.recentSends,
    queryFn: async ({ signal }) => {
      const params = { query: { limit: LIMIT } };
      const { data } = await client.GET('/v1/products/notify/inbox', { params, signal });
      return data.sends.filter(({ channels }) => channels.includes('websocket'));
    },
    refetchInterval: READ_MS,
    staleTime: 0,
  });
  if (sends.isError) return <Failed error={sends.error} retry={() => void sends.refetch()} />;
  if (!sends.data || sends.data.length === 0) return null;
  return (
    <section className="stack tight">
      <h2>{texts.fallback}</h2>
      <List label={texts.fallback} items={sends.data} keyOf={({ send_id: id }) => id}>
        {({ send_id: sendId, title, created_at: created }) => (
          <Row
            title={
              <Link className="row-link" to="/notifications/sends/$sendId" params={{ sendId }}>
                <bdi>{title ?? texts.untitled}</bdi>
              </Link>
            }
            details={momentText(created)}
          />
        )}
      </List>
    </section>
  );
}
