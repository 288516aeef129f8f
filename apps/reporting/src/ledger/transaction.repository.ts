import { Injectable } from '@nestjs/common';
import type { Transaction, TransactionQuery } from '@vaultsvc/contracts/reporting';
import { Database, epochSeconds, readPosition, statement, toPage, type Page } from '@vaultsvc/database';
import { HIGHEST_ID } from './event-ids.js';

/** Rows that one page of a type may read: a rare type would otherwise read the whole ledger of the account. */
const FILTERED_ROWS_MAX = 2_000;
/** Above all names of sources and resources. */
const HIGHEST_NAME = '~';
const START = [HIGHEST_ID, HIGHEST_NAME, HIGHEST_NAME] as const;

/** A transaction with its position in the list. */
type TransactionRow = Transaction & {
  readonly event_id: string;
  readonly source: string;
};
/** The row at which a read of the ledger ended because of `FILTERED_ROWS_MAX`, with a transaction or without one. */
type ScannedRow = Partial<TransactionRow> & {
  readonly scanned_id: string | null;
  readonly scanned_source: string | null;
};

/** The ledger of an account as callers see it: a transaction for each resource of an entry or a summary. */
@Injectable()
export class TransactionRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. A page of one type ends early when it has read 2,000 rows. */
  async list(accountId: string, query: TransactionQuery): Promise<Page<Transaction>> {
    const { limit, cursor, type = null, include_aggregated: includesAggregated } = query;
    const position = readPosition(cursor, START.length) ?? START;
    // A row has one transaction at least, but for the one at the position.
    const rowsMax = type === null ? limit + 2 : FILTERED_ROWS_MAX;
    const values = [accountId, ...position, type, includesAggregated, rowsMax, limit + 1];
    const rows = await this.database.query<ScannedRow>(selectTransactions, values);
    const page = toPage(rows.filter(isTransaction), limit, positionOf);
    const { scanned_id: id = null, scanned_source: source = null } = rows[0] ?? {};
    if (page.has_more || type === null || id === null || source === null) return page;
    return { ...page, has_more: true, next_cursor: JSON.stringify([id, source, '']) };
  }
}

function isTransaction(row: ScannedRow): row is ScannedRow & TransactionRow {
  return typeof row.transaction_id === 'string';
}

function positionOf({ event_id, source, resource }: TransactionRow): readonly string[] {
  return [event_id, source, resource];
}

const rowsOf = (table: string, columns: string, id: string, condition = '') => `
  (SELECT ${columns}, storage_bytes, bandwidth_bytes, type, created_at FROM ${table}
    WHERE account_id = $1 AND ${id} <= $2 ${condition} ORDER BY ${id} DESC LIMIT $7)`;
const entriesOf = (table: string, isAggregated: boolean, condition?: string) =>
  rowsOf(
    table,
    `event_id, source, reference_id, vault_id, actor_type, ${isAggregated} AS aggregated,
     CASE WHEN storage_bytes IS NULL AND bandwidth_bytes IS NULL THEN 1 END AS operations`,
    'event_id',
    condition,
  );
const summariesAsEntries = rowsOf(
  'ledger_summaries',
  `summary_id, 'reporting', NULL, NULL, 'system', false, operations`,
  'summary_id',
);

/** Each of the three tables is read in the order of its primary key, as far as the page needs. */
export const selectTransactions = statement(
  'ledger.list-transactions',
  `WITH scanned AS (
     SELECT * FROM (
       ${entriesOf('ledger', false)} UNION ALL
       ${summariesAsEntries} UNION ALL
       ${entriesOf('ledger_aggregated', true, 'AND $6::boolean')}) rows
      ORDER BY event_id DESC, source COLLATE "C" DESC LIMIT $7),
   last AS (
     SELECT event_id AS scanned_id, source AS scanned_source FROM scanned
      ORDER BY event_id, source COLLATE "C" LIMIT CASE WHEN (SELECT count(*) FROM scanned) < $7 THEN 0 ELSE 1 END)
   SELECT scanned_id, scanned_source, line.*
     FROM (VALUES (1)) one
     LEFT JOIN last ON true
     LEFT JOIN LATERAL (
       SELECT event_id, source, resource, type, quantity, unit, reference_id, vault_id, aggregated,
              CASE WHEN actor_type IN ('user', 'api_key') THEN actor_type END AS actor_type,
              'txn_' || substr(encode(sha256(convert_to(concat_ws(' ', $1, source, event_id, resource), 'UTF8')), 'hex'), 1, 22)
                AS transaction_id, ${epochSeconds('created_at')}
         FROM scanned, LATERAL (VALUES
           ('storage', storage_bytes, 'bytes'), ('bandwidth', bandwidth_bytes, 'bytes'), ('operation', operations, 'count')
         ) AS of_row (resource, quantity, unit)
        WHERE quantity IS NOT NULL AND ($5::text IS NULL OR type = $5)
          AND (event_id, source COLLATE "C", resource COLLATE "C") < ($2::uuid, $3::text, $4::text)
        ORDER BY event_id DESC, source COLLATE "C" DESC, resource COLLATE "C" DESC LIMIT $8) line ON true
    ORDER BY event_id DESC, source COLLATE "C" DESC, resource COLLATE "C" DESC`,
);
