import { Injectable } from '@nestjs/common';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import { lowestIdAt } from '../ledger/event-ids.js';

/** An entry of the ledger. */
export interface ActivityRow {
  readonly event_id: string;
  readonly type: string;
  readonly reference_id: string | null;
  readonly vault_id: string | null;
  readonly created_at: number;
}

/** Selects entries of an account. */
export interface ActivityFilter {
  /** Epoch milliseconds, as `nowMs`. */
  readonly sinceMs: number;
  readonly nowMs: number;
  /** null: of all types. */
  readonly type: string | null;
  readonly limit: number;
}

/** A clock of a publisher may be ahead. Later ids are those of the first release: they were random. */
const CLOCK_DIFFERENCE_MS = 3_600_000;

/** The recent entries of the ledger. */
@Injectable()
export class ActivityRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. An id is made when its event is recorded, so entries since a time have ids since that time. */
  list(accountId: string, { sinceMs, nowMs, type, limit }: ActivityFilter): Promise<ActivityRow[]> {
    const ids = [lowestIdAt(sinceMs), lowestIdAt(nowMs + CLOCK_DIFFERENCE_MS)];
    const values = [accountId, ...ids, sinceMs, type, limit];
    return this.database.query<ActivityRow>(selectActivity, values);
  }
}

/**
 * Entries that only account for bytes of an act that another entry shows: the storage of an upload beside its transfer, and what
 * a download sends and a replacement or deletion releases beside its call. Each act is one event (RPT-15).
 */
const IS_REPEATED = `(
  (type = 'ingot_upload' AND bandwidth_bytes IS NULL)
  OR (type IN ('ingot_download', 'ingot_replace', 'ingot_delete') AND actor_type = 'system'))`;

const recentOf = (table: string) => `
  (SELECT event_id, type, reference_id, vault_id, created_at FROM ${table}
    WHERE account_id = $1 AND event_id >= $2 AND event_id < $3 AND created_at >= to_timestamp($4 / 1000.0)
      AND ($5::text IS NULL OR type = $5) AND NOT ${IS_REPEATED}
    ORDER BY event_id DESC LIMIT $6)`;

/** Entries that were rolled up meanwhile are shown too; their summaries are not. */
export const selectActivity = statement(
  'activity.list',
  `SELECT event_id, type, reference_id, vault_id, ${epochSeconds('recent.created_at')}
     FROM (SELECT * FROM (${recentOf('ledger')} UNION ALL ${recentOf('ledger_aggregated')}) entries
            ORDER BY event_id DESC LIMIT $6) recent
    ORDER BY recent.created_at DESC, event_id DESC`,
);
