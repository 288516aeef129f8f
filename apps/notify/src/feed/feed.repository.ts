import { Injectable } from '@nestjs/common';
import { FEED_ENTRIES_MAX, type FeedEntry } from '@vaultsvc/contracts/notify';
import { Database, epochSeconds, statement } from '@vaultsvc/database';

/** An entry without its link, which sparks knows. */
export interface StoredEntry extends Omit<FeedEntry, 'link_url'> {
  readonly link_id: string;
}

/** Where an entry is. */
export interface AppendedEntry {
  readonly accountId: string;
  readonly position: number;
}

/** The notifications of the websocket channel, in an order without gaps for each account. */
@Injectable()
export class FeedRepository {
  constructor(private readonly database: Database) {}

  /** Commits the entry. Idempotent: a repeated attempt finds the entry of the first one. */
  async append(deliveryId: string): Promise<AppendedEntry> {
    const [row] = await this.database.query<AppendedEntry>(append, [deliveryId]);
    const [found] = row ? [row] : await this.database.query<AppendedEntry>(findAppended, [deliveryId]);
    if (!found) throw new Error('the notification was deleted');
    return found;
  }

  /** Ascending, at most FEED_ENTRIES_MAX and one more, which shows that there are more. */
  async readAfter(accountId: string, after: number): Promise<StoredEntry[]> {
    return this.database.query<StoredEntry>(readAfter, [accountId, after]);
  }

  async lastPosition(accountId: string): Promise<number> {
    const [row] = await this.database.query<{ last: number }>(lastPosition, [accountId]);
    return row?.last ?? 0;
  }
}

// NTF-44: the row of the head is locked until the commit, so that positions become visible in their order.
const append = statement(
  'notify.append-to-feed',
  `WITH message AS (
     SELECT m.id, m.account_id FROM messages m
      WHERE m.id = $1 AND NOT EXISTS (SELECT 1 FROM feed WHERE message_id = m.id)),
   head AS (
     INSERT INTO feed_heads AS h (account_id, last) SELECT account_id, 1 FROM message
     ON CONFLICT (account_id) DO UPDATE SET last = h.last + 1 RETURNING account_id, last)
   INSERT INTO feed (account_id, position, message_id)
   SELECT account_id, last, $1 FROM head RETURNING account_id AS "accountId", position::int`,
);

const findAppended = statement(
  'notify.find-feed-entry',
  `SELECT account_id AS "accountId", position::int FROM feed WHERE message_id = $1`,
);

/** NTF-44: in the order of positions, after the last one that the caller has. */
const readAfter = statement(
  'notify.read-feed',
  `SELECT f.position::int, f.message_id AS delivery_id, s.send_id, r.label AS recipient, s.title, s.category, s.type, r.link_id,
          ${epochSeconds('s.expires_at', 'expires_at')}, ${epochSeconds('f.created_at', 'created_at')}
     FROM feed f JOIN messages m ON m.id = f.message_id JOIN recipients r ON r.id = m.recipient JOIN sends s ON s.id = r.send
    WHERE f.account_id = $1 AND f.position > $2 ORDER BY f.position LIMIT ${FEED_ENTRIES_MAX + 1}`,
);

const lastPosition = statement(
  'notify.last-feed-position',
  `SELECT last::int FROM feed_heads WHERE account_id = $1`,
);
