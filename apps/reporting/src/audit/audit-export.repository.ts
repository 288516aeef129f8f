import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';
import { decodeHead, type ChainEntry, type LoggedHead } from '@vaultsvc/transparency';
import { AuditArchive } from './archive/audit-archive.js';
import { ENTRY_COLUMNS, entryOf, JOIN_PREVIOUS, type EntryRow } from './entry-row.js';

/** The entries of an account in a range of time, and of all numbers between the first and the last of them. */
export interface EntryRange {
  readonly pseudonymSalt: Buffer;
  /** null without entries. */
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
}

/** Reads chains, archived entries too, and their heads in the log, in the order of their numbers. */
@Injectable()
export class AuditExportRepository {
  constructor(
    private readonly database: Database,
    private readonly archive: AuditArchive,
  ) {}

  /** Undefined for an account without a chain. Times in epoch milliseconds; `toMs` is exclusive. */
  async range(
    accountId: string,
    fromMs: number | null,
    toMs: number | null,
  ): Promise<EntryRange | undefined> {
    const [range] = await this.database.query<EntryRange>(selectRange, [accountId, fromMs, toMs]);
    if (!range) return undefined;
    const archived = await this.archive.range(accountId, fromMs, toMs);
    return {
      ...range,
      firstSeq: archived.firstSeq ?? range.firstSeq,
      lastSeq: range.lastSeq ?? archived.lastSeq,
    };
  }

  /** At most `limit` entries from `firstSeq` to `lastSeq`. */
  async entries(
    accountId: string,
    firstSeq: number,
    lastSeq: number,
    limit: number,
  ): Promise<readonly ChainEntry[]> {
    const end = Math.min(lastSeq, firstSeq + limit - 1);
    const rows = await this.database.query<EntryRow>(selectEntries, [accountId, firstSeq, end]);
    const entries = rows.map(entryOf);
    if (entries[0]?.seq === firstSeq || firstSeq > end) return entries;
    const archived = await this.archive.chain(accountId, firstSeq, end, limit);
    return [...archived, ...entries.filter(({ seq }) => seq > (archived.at(-1)?.seq ?? 0))];
  }

  /** The number of the newest entry; 0 for an account without a chain. */
  async lastSeq(accountId: string): Promise<number> {
    const [head] = await this.database.query<{ seq: number }>(selectLastSeq, [accountId]);
    return head?.seq ?? 0;
  }

  /** The newest head among the first `size` leaves of the log. */
  async lastHead(accountId: string, size: number): Promise<LoggedHead | undefined> {
    const rows = await this.database.query<HeadRow>(selectLastHead, [accountId, size]);
    return rows.map(headOf)[0];
  }

  /** The heads in the log from the entry `firstSeq` to `lastSeq`. */
  async heads(accountId: string, firstSeq: number, lastSeq: number): Promise<readonly LoggedHead[]> {
    const rows = await this.database.query<HeadRow>(selectHeads, [accountId, firstSeq, lastSeq]);
    return rows.map(headOf);
  }
}

interface HeadRow {
  readonly index: number;
  readonly leaf: Buffer;
}

function headOf({ index, leaf }: HeadRow): LoggedHead {
  const head = decodeHead(leaf);
  if (!head) throw new Error(`the stored head of leaf ${index} is not a head`);
  return { index, leaf: head };
}

const selectRange = statement(
  'audit.select-range',
  `SELECT h.pseudonym_salt AS "pseudonymSalt", r."firstSeq", r."lastSeq"
     FROM audit_heads h, LATERAL (
       SELECT min(seq) AS "firstSeq", max(seq) AS "lastSeq" FROM audit_entries e
        WHERE e.account_id = h.account_id
          AND ($2::bigint IS NULL OR e.occurred_at >= to_timestamp($2 / 1000.0))
          AND ($3::bigint IS NULL OR e.occurred_at < to_timestamp($3 / 1000.0))) r
    WHERE h.account_id = $1`,
);

const selectEntries = statement(
  'audit.select-chain',
  `SELECT ${ENTRY_COLUMNS} FROM audit_entries e ${JOIN_PREVIOUS}
    WHERE e.account_id = $1 AND e.seq BETWEEN $2 AND $3 ORDER BY e.seq`,
);

const selectHeads = statement(
  'audit.select-heads',
  `SELECT leaf_index AS index, leaf FROM audit_logged_heads WHERE account_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq`,
);

const selectLastSeq = statement('audit.select-last-seq', `SELECT seq FROM audit_heads WHERE account_id = $1`);

const selectLastHead = statement(
  'audit.select-last-head',
  `SELECT leaf_index AS index, leaf FROM audit_logged_heads WHERE account_id = $1 AND leaf_index < $2 ORDER BY seq DESC LIMIT 1`,
);
