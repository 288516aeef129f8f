import { useEffect, useRef, useState } from 'react';
import { useKept } from '../../../api/kept.js';
import { useSession } from '../../../session/session-context.js';
import { feedTexts as texts } from '../../../texts/notify-feed.js';
import { Button } from '../../../ui/button.js';
import { List } from '../../../ui/list.js';
import { Empty } from '../../../ui/states.js';
import { VirtualList } from '../../../ui/virtual-list.js';
import { NotifyPage } from '../shared/notify-page.js';
import { FeedConnection, type FeedState } from './feed-connection.js';
import { FeedItem } from './feed-item.js';
import { feedStore, type FeedEntry } from './feed-store.js';
import { FeedFallback } from './feed-fallback.js';

const ROWS_MAX = 100;

/** The live feed: its entries arrive by a socket while the page is open. */
export function Place() {
  return (
    <NotifyPage title={texts.title} hint={texts.hint}>
      <Feed />
    </NotifyPage>
  );
}

/** Connects while the page is shown. */
function useFeed() {
  const session = useSession();
  const [state, setState] = useState<FeedState>('connecting');
  const connection = useRef<FeedConnection>(undefined);
  useEffect(() => {
    const source = { origin: session.client.url, accessToken: () => session.accessToken() };
    const own = new FeedConnection(source, setState);
    connection.current = own;
    own.start();
    return () => own.stop();
  }, [session]);
  return { state, reconnect: () => connection.current?.reconnect() };
}

function Feed() {
  const { state, reconnect } = useFeed();
  const { entries } = useKept(feedStore);
  const [opened] = useState(() => Math.floor(Date.now() / 1_000));
  const isNew = ({ created_at: created }: FeedEntry) => created >= opened;
  const fresh = entries.filter(isNew).length;
  const Rows = entries.length > ROWS_MAX ? VirtualList : List;
  return (
    <>
      <div className="section-head">
        <p role="status" className="hint">
          {texts[state]} {fresh > 0 && texts.arrived(fresh)}
        </p>
        {state === 'waiting' && (
          <Button kind="quiet" onPress={reconnect}>
            {texts.reconnect}
          </Button>
        )}
      </div>
      {state === 'waiting' && <FeedFallback />}
      {entries.length > 0 && (
        <Rows label={texts.list} items={entries} keyOf={({ delivery_id: id }) => id}>
          {(entry) => <FeedItem entry={entry} isNew={isNew(entry)} />}
        </Rows>
      )}
      {entries.length === 0 && state === 'live' && <Empty icon="bell" text={texts.empty} />}
    </>
  );
}
