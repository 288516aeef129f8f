import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';
import type { ChainEntry } from '@vaultsvc/transparency';
import { AuditArchive } from '../archive/audit-archive.js';
import { ENTRY_COLUMNS, entryOf, JOIN_PREVIOUS, type EntryRow } from '../entry-row.js';

/** Appended batches that are moved by one transaction. */
const MOVED_BATCH = 500;
/** Entries of a row of the feed, which is sent as a whole: with 8 KiB of metadata each, they fill half of a batch. */
const ENTRIES_PER_ROW = 64;
/** Entries that are read for a batch. */
const READ_BATCH = 1_000;
/** Rows that are deleted by one statement. */
const DELETED_BATCH = 5_000;

/** An entry with the account of its chain. */
export interface AccountEntry {
  readonly account: string;
  readonly entry: ChainEntry;
}

/** An entry in the feed. */
export interface FedEntry extends AccountEntry {
  /** Of its row: a cursor moves past all entries of a row. */
  readonly position: number;
  readonly appendedAt: Date;
}

/** A place in the entries of all accounts: the last entry of `account` that was sent. */
export interface HistoryCursor {
  readonly account: string;
  readonly seq: number;
}

/**
 * The feed of all audit entries. Its order is final: positions are given to committed batches, by one instance at a time.
 * A batch is appended under the lock of its chains, so that it has a higher id than all earlier batches of them, and is
 * committed after them. Batches that are moved in the order of their ids keep the order of each chain.
 */
@Injectable()
export class FeedRepository {
  constructor(
    private readonly database: Database,
    private readonly archive: AuditArchive,
  ) {}

  /** Moves committed batches to the end of the feed. False when none is left, or another instance is moving them. */
  move(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [end] = await tx.query<{ position: number }>(lockEnd);
      if (!end) return false;
      const [moved] = await tx.query<{ batches: number }>(moveBatches, [
        end.position,
        MOVED_BATCH,
        ENTRIES_PER_ROW,
      ]);
      return moved?.batches === MOVED_BATCH;
    });
  }

  /** The entries after a position, up to and including the row at `through`; of about a thousand entries without it. */
  async read(after: number, through: number | null): Promise<readonly FedEntry[]> {
    const range = [after, through ?? after + READ_BATCH];
    const rows = await this.database.query<FedRow>(readFeed, range);
    const inDatabase = rows.map(({ position, appended_at: appendedAt, account_id: account, ...row }) => ({
      position,
      appendedAt,
      account,
      entry: entryOf(row),
    }));
    // Read second: an entry that is archived in between is found twice, never missed.
    const archived = await this.#archived(await this.database.query<ArchivedRow>(readArchivedFeed, range));
    const known = new Set(inDatabase.map(({ account, entry }) => `${account} ${entry.seq}`));
    return [
      ...archived.filter(({ account, entry }) => !known.has(`${account} ${entry.seq}`)),
      ...inDatabase,
    ].toSorted((a, b) => a.position - b.position || a.entry.seq - b.entry.seq);
  }

  /** About the next thousand entries of all accounts, in the order of accounts and numbers. */
  async readHistory({ account, seq }: HistoryCursor): Promise<readonly AccountEntry[]> {
    const rows = await this.database.query<AccountRow>(readHistory, [account, seq, READ_BATCH]);
    const inDatabase = rows.map(({ account_id, ...row }) => ({ account: account_id, entry: entryOf(row) }));
    const archived = await this.archive.nextAccount(account, seq);
    if (archived === undefined) return inDatabase;
    const before = inDatabase.filter((entry) => entry.account < archived);
    if (before.length > 0) return before;
    const firstSeq = archived === account ? seq + 1 : 1;
    const entries = await this.archive.chain(archived, firstSeq, Number.MAX_SAFE_INTEGER - 1, READ_BATCH);
    return entries.map((entry) => ({ account: archived, entry }));
  }

  /** Entries that were archived before a sink has received them. Those of an account are read at once, not for each row of the feed. */
  async #archived(rows: readonly ArchivedRow[]): Promise<readonly FedEntry[]> {
    const entries: FedEntry[] = [];
    for (const account of new Set(rows.map((row) => row.account))) {
      const ofAccount = rows.filter((row) => row.account === account);
      const firstSeq = Math.min(...ofAccount.map((row) => row.firstSeq));
      const lastSeq = Math.max(...ofAccount.map((row) => row.lastSeq));
      for (const entry of await this.archive.chain(account, firstSeq, lastSeq, lastSeq - firstSeq + 1)) {
        const row = ofAccount.find((of) => entry.seq >= of.firstSeq && entry.seq <= of.lastSeq);
        if (row) entries.push({ position: row.position, appendedAt: row.appendedAt, account, entry });
      }
    }
    return entries;
  }

  /** Deletes rows that all sinks have passed. True when more may be left. */
  async deletePassed(): Promise<boolean> {
    const [result] = await this.database.query<{ rows: number }>(deletePassed, [DELETED_BATCH]);
    return result?.rows === DELETED_BATCH;
  }
}

interface AccountRow extends EntryRow {
  readonly account_id: string;
}

interface FedRow extends AccountRow {
  readonly position: number;
  readonly appended_at: Date;
}

/** The archived part of a row of the feed. */
interface ArchivedRow {
  readonly position: number;
  readonly appendedAt: Date;
  readonly account: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

const lockEnd = statement(
  'audit-feed.lock-end',
  `SELECT position FROM audit_feed_end FOR NO KEY UPDATE SKIP LOCKED`,
);

/** A statement of its own after the lock, so that it sees all that the last instance has moved. */
const moveBatches = statement(
  'audit-feed.move',
  `WITH moved AS (
     DELETE FROM audit_batches WHERE id IN (SELECT id FROM audit_batches ORDER BY id LIMIT $2) RETURNING *),
   ranges AS (
     SELECT b.id, b.appended_at, chain.account_id, first_seq, least(first_seq + $3::integer - 1, chain.last_seq) AS last_seq,
            chain.place
       FROM moved b
      CROSS JOIN LATERAL unnest(b.account_ids, b.first_seqs, b.last_seqs)
            WITH ORDINALITY AS chain (account_id, from_seq, last_seq, place)
      CROSS JOIN LATERAL generate_series(chain.from_seq, chain.last_seq, $3::integer) AS first_seq),
   fed AS (
     INSERT INTO audit_feed (position, account_id, first_seq, last_seq, appended_at)
     SELECT $1::bigint + sum(last_seq - first_seq + 1) OVER (ORDER BY id, place, first_seq), account_id, first_seq, last_seq, appended_at
       FROM ranges),
   extended AS (
     UPDATE audit_feed_end SET position = position + (SELECT sum(last_seq - first_seq + 1) FROM ranges)
      WHERE EXISTS (SELECT FROM moved))
   SELECT count(*) AS batches FROM moved`,
);

const readFeed = statement(
  'audit-feed.read',
  `SELECT f.position, f.appended_at, e.account_id, ${ENTRY_COLUMNS}
     FROM audit_feed f JOIN audit_entries e ON e.account_id = f.account_id AND e.seq BETWEEN f.first_seq AND f.last_seq
          ${JOIN_PREVIOUS}
    WHERE f.position > $1 AND f.position <= $2 ORDER BY f.position, e.seq`,
);

const readHistory = statement(
  'audit-feed.read-history',
  `SELECT e.account_id, ${ENTRY_COLUMNS}
     FROM (SELECT * FROM audit_entries WHERE (account_id, seq) > ($1, $2) ORDER BY account_id, seq LIMIT $3) e ${JOIN_PREVIOUS}
    ORDER BY e.account_id, e.seq`,
);

/** One look at the newest segment of each account of the feed. */
const readArchivedFeed = statement(
  'audit-feed.read-archived',
  `SELECT f.position, f.appended_at AS "appendedAt", f.account_id AS account, f.first_seq AS "firstSeq",
          least(f.last_seq, s.last_seq) AS "lastSeq"
     FROM audit_feed f CROSS JOIN LATERAL (
       SELECT last_seq FROM audit_segments WHERE account_id = f.account_id ORDER BY last_seq DESC LIMIT 1) s
    WHERE f.position > $1 AND f.position <= $2 AND s.last_seq >= f.first_seq ORDER BY f.position`,
);

const deletePassed = statement(
  'audit-feed.delete-passed',
  `WITH deleted AS (
     DELETE FROM audit_feed WHERE position IN (
       SELECT position FROM audit_feed
        WHERE position <= coalesce((SELECT min(position) FROM audit_sinks WHERE removed_at IS NULL), 9223372036854775807)
        ORDER BY position LIMIT $1)
     RETURNING 1)
   SELECT count(*) AS rows FROM deleted`,
);
