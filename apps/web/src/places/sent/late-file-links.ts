import type { FileLinkFacts, HistoryItem } from './sent-facts.js';
import { LATE_SECONDS } from './sent-row.js';

interface Known {
  /** Ids of the links that the history has. */
  readonly listed: ReadonlySet<string | undefined>;
  /** Older ones come with a later page of the history. */
  readonly oldest: number;
  readonly myId: string | undefined;
  readonly now: number;
}

/** The links of files that the person has just made, as the history will have them in a moment. */
export function lateFileLinks(links: readonly FileLinkFacts[], known: Known): HistoryItem[] {
  const { listed, oldest, myId, now } = known;
  return links.flatMap((link): HistoryItem[] => {
    const { link_id, asset_id: ingot_id, vault_id, status, created_at, created_by, expires_at } = link;
    const isMine = myId !== undefined && created_by?.id === myId;
    const isLate = now - created_at < LATE_SECONDS && created_at >= oldest;
    if (!isMine || !isLate || status !== 'active' || link_id === undefined || listed.has(link_id)) return [];
    return [
      { type: 'ingot', link_id, ingot_id, vault_id, status, created_at, created_by, expires_at, ...none },
    ];
  });
}

const none = { openings: [], has_more_openings: false, ended_at: null, ended_by: null };
