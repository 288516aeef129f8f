import { EpochSeconds, Flag, IdOf, Int, ListOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { signal } from '../core/signal.js';

/** Most entries of one read of the feed. */
export const FEED_ENTRIES_MAX = 100;

/** Body of `readFeed`. */
export class FeedPosition {
  @IdOf('acc') account_id: string;
  @Int({ min: 0, description: 'The position of the last entry received; 0: all that are kept.' })
  after: number;
}

/** Path of the socket. It is no operation: after the upgrade it speaks no HTTP. */
export const FEED_SOCKET_PATH = '/v1/products/notify/socket';

/** Query of the socket. */
export class FeedSocketQuery {
  @Int({ min: 0, optional: true, description: 'As in FeedPosition.' }) after = 0;
}

/** A notification for the sender's own application, as the websocket sends it. */
export class FeedEntry {
  @Int({ min: 1, description: 'Ascending within the account, without gaps.' }) position: number;
  @Text({ max: 36 }) delivery_id: string;
  @Text({ max: 128 }) send_id: string;
  @Text({ max: 254 }) recipient: string;
  @Text({ max: 200, nullable: true }) title: string | null;
  @Text({ max: 64, nullable: true }) category: string | null;
  @Text({ max: 64, nullable: true }) type: string | null;
  @Text({ max: 2_048, nullable: true, description: 'null once the link opens no more.' }) link_url:
    | string
    | null;
  @EpochSeconds() expires_at: number;
  @EpochSeconds() created_at: number;
}

/** Entries after a position, ascending. */
export class FeedEntries {
  @ListOf(() => FeedEntry, { max: FEED_ENTRIES_MAX }) entries: FeedEntry[];
  @Int({ min: 0, description: 'The last position of the account.' }) last: number;
  @Flag({ description: 'Whether there are more entries after these.' }) has_more: boolean;
}

/** Reads the feed of an account for its websockets (NTF-44). */
export const readFeed = operation({
  name: 'notify.read-feed',
  summary: 'Reads the notifications of the websocket channel after a position.',
  access: 'internal',
  callers: ['gateway'],
  body: FeedPosition,
  reply: FeedEntries,
  repeatable: true,
});

/** The feed of an account, its key, has grown. */
export const feedGrown = signal({ name: 'notify.feed-grown', receivers: ['gateway'] });
