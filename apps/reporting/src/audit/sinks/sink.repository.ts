import { Injectable } from '@nestjs/common';
import { Database, namedStatement, statement } from '@vaultsvc/database';
import type { HistoryCursor } from './feed.repository.js';

/** Seconds beyond the timeout of a batch after which another instance takes a sink over. */
const LEASE_MARGIN_SECONDS = 20;

/** The lease of a sink: until it ends, one process sends. */
export interface Sender {
  readonly sink: string;
  /** A UUID of the process. */
  readonly owner: string;
}

/** The state of a sink that this process may send to. */
export interface LeasedSink {
  /** The cursor: all rows of the feed up to this one were sent. */
  readonly position: number;
  /** The end of the batch that was read last and not sent; null without one. */
  readonly batchPosition: number | null;
  /** The cursor in older entries, which are sent first; null without them. */
  readonly history: HistoryCursor | null;
  /** False while a transaction runs that may have appended entries without knowing the sink. */
  readonly isHistoryComplete: boolean;
  /** Failures since the last success. */
  readonly failures: number;
  readonly entriesSent: number;
  readonly createdAt: Date;
}

/** A sent batch, and the cursor after it. */
export interface SentBatch {
  readonly entries: number;
  readonly position: number;
  readonly history: HistoryCursor | null;
}

/** The cursors of the sinks. One process at a time sends to a sink: the one that has its lease. */
@Injectable()
export class SinkRepository {
  constructor(private readonly database: Database) {}

  /**
   * Acquires or renews the lease of a sink. Undefined while another process has it, until a retry is due, and for a sink that
   * was removed. A lease, and not a lock of PostgreSQL: a lock would occupy a connection for as long as a sink hangs.
   */
  async lease({ sink, owner }: Sender, timeoutMs: number): Promise<LeasedSink | undefined> {
    const seconds = timeoutMs / 1_000 + LEASE_MARGIN_SECONDS;
    const [row] = await this.database.query<LeaseRow>(acquireLease, [sink, owner, seconds]);
    if (!row) return undefined;
    const { history_account: account, history_seq: seq, ...leased } = row;
    return { ...leased, history: account === null || seq === null ? null : { account, seq } };
  }

  /** Records the end of the next batch. False when the lease was lost. */
  async startBatch({ sink, owner }: Sender, from: number, through: number): Promise<boolean> {
    return (await this.database.query(recordBatch, [sink, owner, from, through])).length > 0;
  }

  /** Moves the cursor past a batch that the sink has received. False when the lease was lost: the batch is sent again. */
  async advance({ sink, owner }: Sender, from: LeasedSink, sent: SentBatch): Promise<boolean> {
    const values = moveCursor.valuesOf({
      sink,
      owner,
      position: from.position,
      account: from.history?.account ?? null,
      seq: from.history?.seq ?? null,
      nextPosition: sent.position,
      nextAccount: sent.history?.account ?? null,
      nextSeq: sent.history?.seq ?? null,
      entries: sent.entries,
    });
    return (await this.database.query(moveCursor, values)).length > 0;
  }

  /** Records a failure; the next attempt is due after so many milliseconds, on any instance. */
  async fail({ sink, owner }: Sender, reason: string, retryMs: number): Promise<void> {
    await this.database.query(recordFailure, [sink, owner, reason, retryMs]);
  }

  /** Ends the lease, so that another instance continues at once. */
  async release({ sink, owner }: Sender): Promise<void> {
    await this.database.query(releaseLease, [sink, owner]);
  }
}

interface LeaseRow extends Omit<LeasedSink, 'history'> {
  readonly history_account: string | null;
  readonly history_seq: number | null;
}

/**
 * A transaction that began before the sink was committed may append entries without a batch. In a database that was loaded
 * from a dump, the id of a transaction of the former server may be in the future.
 */
const acquireLease = statement(
  'audit-sinks.lease',
  `UPDATE audit_sinks SET lease_owner = $2, lease_until = now() + interval '1 second' * $3
    WHERE name = $1 AND removed_at IS NULL AND (retry_at IS NULL OR retry_at <= now())
      AND (lease_owner = $2 OR lease_until IS NULL OR lease_until <= now())
   RETURNING position, batch_position AS "batchPosition", history_account, history_seq, failures, created_at AS "createdAt",
             entries_sent AS "entriesSent",
             created_xid < pg_snapshot_xmin(pg_current_snapshot()) OR created_xid >= pg_snapshot_xmax(pg_current_snapshot())
               AS "isHistoryComplete"`,
);

const recordBatch = statement(
  'audit-sinks.start-batch',
  `UPDATE audit_sinks SET batch_position = $4
    WHERE name = $1 AND lease_owner = $2 AND position = $3 AND batch_position IS NULL RETURNING name`,
);

interface CursorMove extends Sender {
  readonly position: number;
  readonly account: string | null;
  readonly seq: number | null;
  readonly nextPosition: number;
  readonly nextAccount: string | null;
  readonly nextSeq: number | null;
  readonly entries: number;
}

const moveCursor = namedStatement<CursorMove>(
  'audit-sinks.advance',
  (v) => `
   UPDATE audit_sinks
      SET position = ${v.nextPosition}, history_account = ${v.nextAccount}, history_seq = ${v.nextSeq},
          entries_sent = entries_sent + ${v.entries}, batch_position = NULL,
          failures = 0, retry_at = NULL, last_success_at = now()
    WHERE name = ${v.sink} AND lease_owner = ${v.owner} AND removed_at IS NULL AND position = ${v.position}
      AND history_account IS NOT DISTINCT FROM ${v.account} AND history_seq IS NOT DISTINCT FROM ${v.seq}
   RETURNING name`,
);

const recordFailure = statement(
  'audit-sinks.fail',
  `UPDATE audit_sinks
      SET failures = failures + 1, retry_at = now() + interval '1 millisecond' * $4, last_error = $3, last_error_at = now()
    WHERE name = $1 AND lease_owner = $2`,
);

const releaseLease = statement(
  'audit-sinks.release',
  `UPDATE audit_sinks SET lease_owner = NULL, lease_until = NULL WHERE name = $1 AND lease_owner = $2`,
);
