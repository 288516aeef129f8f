import { Injectable } from '@nestjs/common';
import { Database, namedStatement, statement } from '@vaultsvc/database';
import { FIRST_PREV_HASH } from '@vaultsvc/transparency';
import type { ArchivedEntry } from './archived-entry.js';
import type { SegmentRange } from './segment-format.js';

/** A segment of the archive: consecutive entries of one account in one object. */
export interface Segment extends SegmentRange {
  /** The least and the greatest time of its entries, epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Of its last entry. */
  readonly hash: Buffer;
  /** The key of its object. */
  readonly object: string;
  /** SHA-256 of the object. */
  readonly digest: Buffer;
  /** The bytes of its `SegmentFilter`. */
  readonly filter: Buffer;
}

/** Segments that a search visits. */
export interface SegmentSearch {
  readonly accountId: string;
  /** Only segments with entries before this number. */
  readonly beforeSeq?: number | null;
  /** Only segments with entries after this number. */
  readonly afterSeq?: number;
  /** Only segments with times in this range, epoch seconds, `to` excluded. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Where the archive of a chain ends: its last archived entry. */
export interface ChainPosition {
  readonly accountId: string;
  /** 0 without any. */
  readonly seq: number;
  readonly hash: Buffer;
}

/** An entry of the database with the hash that the chain has. */
export interface StoredEntry extends ArchivedEntry {
  readonly hash: Buffer;
}

/** A segment whose object is stored. */
export interface NewSegment extends SegmentRange {
  readonly object: string;
  readonly digest: Buffer;
  readonly filter: Buffer;
  /** Entries without a content. */
  readonly erased: number;
  /** The ids of the keys that open it. */
  readonly kids: readonly string[];
}

const PAGE = 50;

/** The segments of the archive, and the entries that become the next ones. */
@Injectable()
export class SegmentsRepository {
  constructor(private readonly database: Database) {}

  /** Accounts after `afterAccount` whose next `entries` entries are complete and older than a time, in the order of their ids. */
  async due(entries: number, olderThanMs: number, afterAccount: string): Promise<readonly string[]> {
    const values = [entries, olderThanMs, afterAccount];
    const rows = await this.database.query<{ accountId: string }>(selectDue, values);
    return rows.map(({ accountId }) => accountId);
  }

  async position(accountId: string): Promise<ChainPosition> {
    const [last] = await this.database.query<ChainPosition>(selectPosition, [accountId]);
    return last ?? { accountId, seq: 0, hash: FIRST_PREV_HASH };
  }

  /** The entries of an account after those in its archive, in their order. */
  async entriesAfter({ accountId, seq }: ChainPosition, limit: number): Promise<readonly StoredEntry[]> {
    const rows = await this.database.query<EntryRow>(selectEntries, [accountId, seq, limit]);
    return rows.map(({ body, salt, vaultId, ingotId, appId, actorId, ...entry }) => ({
      ...entry,
      content: body === null || salt === null ? undefined : { vaultId, ingotId, appId, actorId, salt, body },
    }));
  }

  /**
   * Records a segment and deletes its entries from the database, in one statement. It fails, and changes nothing, if one of them was
   * erased since it was read, if a key was destroyed, or if another instance has archived them.
   */
  async record(segment: NewSegment): Promise<void> {
    await this.database.query(recordSegment, recordSegment.valuesOf({ ...segment, kids: [...segment.kids] }));
  }

  /** Notes an object before it is stored, so that it is found when nobody records a segment with it. */
  async begin(object: string): Promise<void> {
    await this.database.query(insertAttempt, [object]);
  }

  /** Ends attempts: this one, or those that began before a time, epoch milliseconds. Returns their objects, which may exist. */
  async end(
    attempts: { readonly object: string } | { readonly beforeMs: number },
  ): Promise<readonly string[]> {
    const values = 'object' in attempts ? [attempts.object, null] : [null, attempts.beforeMs];
    const rows = await this.database.query<{ object: string }>(deleteAttempts, values);
    return rows.map(({ object }) => object);
  }

  /** Segments of a search, the newest first. */
  async *newestFirst(search: SegmentSearch): AsyncGenerator<Segment> {
    let beforeSeq = search.beforeSeq ?? Number.MAX_SAFE_INTEGER;
    for (let page: readonly Segment[]; ; beforeSeq = (page.at(-1) as Segment).firstSeq) {
      page = await this.database.query<Segment>(selectNewest, valuesOf({ ...search, beforeSeq }));
      yield* page;
      if (page.length < PAGE) return;
    }
  }

  /** Segments of a search, the oldest first. */
  async *oldestFirst(search: SegmentSearch): AsyncGenerator<Segment> {
    let afterSeq = search.afterSeq ?? 0;
    for (let page: readonly Segment[]; ; afterSeq = (page.at(-1) as Segment).lastSeq) {
      page = await this.database.query<Segment>(selectOldest, valuesOf({ ...search, afterSeq }));
      yield* page;
      if (page.length < PAGE) return;
    }
  }

  /** The first account, in the order of ids, that has archived entries after a place in the history of all. */
  async nextAccount(account: string, seq: number): Promise<string | undefined> {
    const [next] = await this.database.query<{ accountId: string }>(selectNextAccount, [account, seq]);
    return next?.accountId;
  }
}

type EntryRow = Omit<StoredEntry, 'content'> & {
  readonly vaultId: string | null;
  readonly ingotId: string | null;
  readonly appId: string | null;
  readonly actorId: string | null;
  readonly body: string | null;
  readonly salt: Buffer | null;
};

function valuesOf({ accountId, beforeSeq, afterSeq = 0, from, to }: SegmentSearch): unknown[] {
  return [accountId, beforeSeq ?? Number.MAX_SAFE_INTEGER, afterSeq, from ?? null, to ?? null, PAGE];
}

const msOf = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

const selectDue = statement(
  'audit-archive.select-due',
  `SELECT h.account_id AS "accountId"
     FROM audit_heads h LEFT JOIN LATERAL (
       SELECT last_seq FROM audit_segments WHERE account_id = h.account_id ORDER BY last_seq DESC LIMIT 1) s ON true
    WHERE h.account_id > $3 AND h.seq >= coalesce(s.last_seq, 0) + $1::bigint
      AND (SELECT occurred_at FROM audit_entries e WHERE e.account_id = h.account_id AND e.seq = coalesce(s.last_seq, 0) + $1::bigint)
          < to_timestamp($2::bigint / 1000.0)
    ORDER BY h.account_id LIMIT ${PAGE}`,
);

const selectPosition = statement(
  'audit-archive.select-position',
  `SELECT account_id AS "accountId", last_seq AS seq, hash FROM audit_segments WHERE account_id = $1 ORDER BY last_seq DESC LIMIT 1`,
);

const selectEntries = statement(
  'audit-archive.select-entries',
  `SELECT seq, ${msOf('occurred_at')} AS at, event_type AS type, vault_id AS "vaultId", ingot_id AS "ingotId", app_id AS "appId",
          actor_id AS "actorId", body, salt, body_hash AS "bodyHash", hash
     FROM audit_entries WHERE account_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
);

const recordSegment = namedStatement<NewSegment>(
  'audit-archive.record',
  (v) => `
   SELECT archive_audit_entries(${v.accountId}, ${v.firstSeq}, ${v.lastSeq}, ${v.erased}, ${v.object}, ${v.digest}, ${v.filter},
                                ${v.kids}::uuid[])`,
);

const insertAttempt = statement(
  'audit-archive.insert-attempt',
  `INSERT INTO audit_segment_attempts (object_key) VALUES ($1)`,
);

const deleteAttempts = statement(
  'audit-archive.delete-attempts',
  `DELETE FROM audit_segment_attempts WHERE object_key IN (
     SELECT object_key FROM audit_segment_attempts
      WHERE object_key = $1 OR begun_at < to_timestamp($2::bigint / 1000.0) LIMIT 1000)
   RETURNING object_key AS object`,
);

const select = (order: 'ASC' | 'DESC') => `
  SELECT account_id AS "accountId", first_seq AS "firstSeq", last_seq AS "lastSeq", ${msOf('first_at')} AS "firstAt",
         ${msOf('last_at')} AS "lastAt", hash, object_key AS object, digest, filter
    FROM audit_segments
   WHERE account_id = $1 AND first_seq < $2 AND last_seq > $3
     AND ($4::bigint IS NULL OR last_at >= to_timestamp($4)) AND ($5::bigint IS NULL OR first_at < to_timestamp($5))
   ORDER BY last_seq ${order} LIMIT $6`;

const selectNewest = statement('audit-archive.select-newest', select('DESC'));
const selectOldest = statement('audit-archive.select-oldest', select('ASC'));

const selectNextAccount = statement(
  'audit-archive.select-next-account',
  `SELECT account_id AS "accountId" FROM audit_segments WHERE (account_id, last_seq) > ($1, $2) ORDER BY account_id, last_seq LIMIT 1`,
);
