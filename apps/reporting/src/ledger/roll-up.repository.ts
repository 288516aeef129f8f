import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';
import { ReportingConfig } from '../config.js';
import { HIGHEST_ID, lowestIdAt } from './event-ids.js';

/** Entries of one statement: few enough that it takes well under a second. */
const ENTRIES_BATCH = 5_000;
const ACCOUNTS_BATCH = 100;
/** For `LEDGER_KEPT_MONTHS=0`: no entry is older. */
const MONTHS_FOR_EVER = 600;

/** What one statement added to a summary row. */
export interface SummaryIncrease {
  readonly summaryId: string;
  /** Entries are one or two transactions each. */
  readonly entries: number;
  readonly transactions: number;
  /** Resources that the increase has, each of which is a summary for callers. */
  readonly resources: readonly string[];
}

/**
 * Rolls up entries into summaries. A statement moves its entries and increases the summaries at once, so that a crash, a
 * concurrent insert or another roll-up leaves the sum of entries and summaries exact.
 */
@Injectable()
export class RollUpRepository {
  constructor(
    private readonly database: Database,
    private readonly config: ReportingConfig,
  ) {}

  /** Makes the partitions of the months whose entries are kept, before a roll-up. */
  async prepareMonths(): Promise<void> {
    await this.database.query(extendMonths, [this.#keptSinceMs]);
  }

  /** Removes the rolled-up entries of all months that are kept no more; their summaries stay. */
  async dropOldMonths(): Promise<void> {
    if (this.config.LEDGER_KEPT_MONTHS > 0) await this.database.query(dropMonths, [this.#keptSinceMs]);
  }

  /** The beginning of the oldest month of UTC whose rolled-up entries are kept, epoch milliseconds. */
  get #keptSinceMs(): number {
    const now = new Date();
    const months = this.config.LEDGER_KEPT_MONTHS || MONTHS_FOR_EVER;
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months);
  }

  /**
   * Rolls up at most 5,000 of the oldest entries of an account until a time in epoch milliseconds, those of another running
   * roll-up excepted. `idBefore` bounds the rows that are searched. `isComplete`: no more are left.
   */
  async rollUp(
    accountId: string,
    untilMs: number,
    idBefore = HIGHEST_ID,
  ): Promise<{ increases: readonly SummaryIncrease[]; isComplete: boolean }> {
    const values = [accountId, untilMs, idBefore, ENTRIES_BATCH, lowestIdAt(this.#keptSinceMs)];
    const increases = await this.database.query<SummaryIncrease>(rollUpEntries, values);
    const entries = increases.reduce((sum, increase) => sum + increase.entries, 0);
    return { increases, isComplete: entries < ENTRIES_BATCH };
  }

  /** Up to 100 accounts with entries of lower ids than this one, in the order of accounts, after the given one. */
  async accountsBefore(idBefore: string, after: string): Promise<string[]> {
    const values = [after, idBefore, ACCOUNTS_BATCH];
    const rows = await this.database.query<{ id: string }>(findAccounts, values);
    return rows.map(({ id }) => id);
  }
}

/** Two months ahead: the release before this one, which may run again, makes none. */
const extendMonths = statement(
  'ledger.extend-months',
  `SELECT extend_ledger_months(to_timestamp($1 / 1000.0), now() + interval '2 months')`,
);

const dropMonths = statement('ledger.drop-months', `SELECT drop_ledger_months(to_timestamp($1 / 1000.0))`);

/** The entry's day in UTC, and the id of its summary: a UUID of version 8 (RFC 9562) with the start of the day. */
const DAY = `date_trunc('day', created_at, 'UTC')`;
const SUMMARY_ID = `(lpad(to_hex((extract(epoch FROM ${DAY}) * 1000)::bigint), 12, '0') || '8'
  || substr(encode(sha256(convert_to(type, 'UTF8')), 'hex'), 1, 3) || '8'
  || substr(encode(sha256(convert_to(type, 'UTF8')), 'hex'), 4, 15))::uuid`;

/** null where neither has any. */
const increased = (column: string) =>
  `${column} = CASE WHEN excluded.${column} IS NULL THEN kept.${column} ELSE coalesce(kept.${column}, 0) + excluded.${column} END`;

/**
 * Rows are locked in the order of ids: entries that another roll-up has locked are skipped, and two that increase the same
 * summaries wait for each other in one order. Entries of months that are kept no more are in their summaries alone.
 */
export const rollUpEntries = statement(
  'ledger.roll-up',
  `WITH moved AS (
     DELETE FROM ledger WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM ledger
        WHERE account_id = $1 AND created_at <= to_timestamp($2 / 1000.0) AND event_id < $3
        ORDER BY event_id, source LIMIT $4 FOR UPDATE SKIP LOCKED))
     RETURNING *),
   archived AS (INSERT INTO ledger_aggregated SELECT * FROM moved WHERE event_id >= $5),
   added AS (
     SELECT ${SUMMARY_ID} AS summary_id, type, ${DAY} AS day, sum(storage_bytes)::bigint AS storage_bytes,
            sum(bandwidth_bytes)::bigint AS bandwidth_bytes,
            nullif(count(*) FILTER (WHERE storage_bytes IS NULL AND bandwidth_bytes IS NULL), 0) AS operations,
            count(*) AS entries, count(storage_bytes) + count(bandwidth_bytes) AS lines
       FROM moved GROUP BY type, day),
   summed AS (
     INSERT INTO ledger_summaries AS kept (account_id, summary_id, type, storage_bytes, bandwidth_bytes, operations, created_at)
     SELECT $1, summary_id, type, storage_bytes, bandwidth_bytes, operations, day FROM added ORDER BY summary_id
     ON CONFLICT (account_id, summary_id) DO UPDATE SET
       ${increased('storage_bytes')}, ${increased('bandwidth_bytes')}, ${increased('operations')})
   SELECT summary_id AS "summaryId", entries, lines + coalesce(operations, 0) AS transactions,
          array_remove(ARRAY[CASE WHEN storage_bytes IS NOT NULL THEN 'storage' END,
            CASE WHEN bandwidth_bytes IS NOT NULL THEN 'bandwidth' END, CASE WHEN operations IS NOT NULL THEN 'operation' END], NULL)
            AS resources
     FROM added`,
);

/** Steps from account to account through the primary key, whatever the number of their entries. */
export const findAccounts = statement(
  'ledger.find-accounts-to-roll-up',
  `WITH RECURSIVE account AS (
     (SELECT account_id FROM ledger WHERE account_id > $1 ORDER BY account_id LIMIT 1)
     UNION ALL
     SELECT (SELECT l.account_id FROM ledger l WHERE l.account_id > account.account_id ORDER BY l.account_id LIMIT 1)
       FROM account WHERE account.account_id IS NOT NULL)
   SELECT account_id AS id FROM account
    WHERE account_id IS NOT NULL
      AND EXISTS (SELECT FROM ledger l WHERE l.account_id = account.account_id AND l.event_id < $2)
    LIMIT $3`,
);
