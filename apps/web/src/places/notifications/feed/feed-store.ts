import { keep } from '../../../api/kept.js';

/** An entry of the live feed, as the socket sends it. */
export interface FeedEntry {
  readonly position: number;
  readonly delivery_id: string;
  readonly send_id: string;
  readonly recipient: string;
  readonly title: string | null;
  readonly category: string | null;
  readonly type: string | null;
  readonly link_url: string | null;
  readonly expires_at: number;
  readonly created_at: number;
}

interface Feed {
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
  /** The position with which a connection continues. */
  readonly last: number;
}

const ENTRIES_MAX = 5_000;

/** The feed of this session, in memory alone: leaving the page and coming back continues it. */
export const feedStore = keep<Feed>({ entries: [], last: 0 }, { isUnsaved: () => false });

/** Adds an entry; one that was received already is left out. */
export function receive(entry: FeedEntry): void {
  const { entries, last } = feedStore.get();
  if (entry.position <= last) return;
  feedStore.update({ entries: [entry, ...entries].slice(0, ENTRIES_MAX), last: entry.position });
}

/** The entry of a message of the socket; undefined for any other text. */
export function entryOf(text: unknown): FeedEntry | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const entry = JSON.parse(text) as FeedEntry;
    return Number.isSafeInteger(entry.position) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Only an address of the web leads on; anything else is no link. */
export function linkOf({ link_url: url }: FeedEntry): string | undefined {
  return url !== null && /^https?:\/\//u.test(url) ? url : undefined;
}
