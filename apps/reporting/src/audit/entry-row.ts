import { FIRST_PREV_HASH, type ChainEntry, type JsonObject } from '@vaultsvc/transparency';

/** An entry `e` of `audit_entries` with the hash of the entry before it, which may be archived: `ENTRY_COLUMNS` of a statement with `JOIN_PREVIOUS`. */
export interface EntryRow {
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly type: string;
  readonly body: string | null;
  readonly salt: Buffer | null;
  readonly body_hash: Buffer;
  readonly hash: Buffer;
  /** null for the first entry of a chain. */
  readonly prev_hash: Buffer | null;
}

export const ENTRY_COLUMNS = `e.seq, (extract(epoch FROM e.occurred_at) * 1000)::bigint AS at, e.event_type AS type, e.body, e.salt,
          e.body_hash, e.hash,
          coalesce(previous.hash, (SELECT hash FROM audit_segments s WHERE s.account_id = e.account_id AND s.last_seq = e.seq - 1)) AS prev_hash`;

export const JOIN_PREVIOUS = `LEFT JOIN audit_entries previous ON previous.account_id = e.account_id AND previous.seq = e.seq - 1`;

export function entryOf({ seq, at, type, body, salt, body_hash, hash, prev_hash }: EntryRow): ChainEntry {
  return {
    seq,
    at,
    type,
    content: body !== null && salt !== null ? { salt, body: JSON.parse(body) as JsonObject } : undefined,
    bodyHash: body_hash,
    prevHash: prev_hash ?? FIRST_PREV_HASH,
    hash,
  };
}
