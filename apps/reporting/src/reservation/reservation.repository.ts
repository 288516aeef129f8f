import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement, type Queryable } from '@vaultsvc/database';
import type { Draw } from '../pool/pool.repository.js';

/** Storage reserved for the upload of one version; its id is that of the version. */
export interface StorageReservation {
  readonly id: string;
  readonly accountId: string;
  readonly bytes: number;
}

/** A new reservation, and the version whose upload it supersedes. */
export interface NewReservation extends StorageReservation {
  readonly insteadOf?: string | undefined;
}

/** The effect of the events of a version: its reservation is confirmed or closed. */
export interface Settlement extends StorageReservation {
  readonly status: 'confirmed' | 'closed';
}

/**
 * Reservations in storage pools for incomplete uploads. A call inserts one as `held`; events of the version confirm and close
 * it. Calls change held reservations only. Every change returns the draws that the same transaction must apply.
 */
@Injectable()
export class ReservationRepository {
  constructor(private readonly database: Database) {}

  /** Holds storage for 10 minutes. False when the reservation exists. @throws when another account has this id */
  async insert(tx: Queryable, { id, accountId, bytes, insteadOf }: NewReservation): Promise<boolean> {
    if ((await tx.query(insertHeld, [id, accountId, bytes, insteadOf ?? null])).length > 0) return true;
    if ((await tx.query(findForeign, [id, accountId])).length > 0)
      throw new Error(`reservation ${id} belongs to another account`);
    return false;
  }

  /**
   * Locks until the commit, and sums, the open reservations of a superseded version and of those that it superseded in turn.
   * The events that end them may not have arrived yet.
   */
  async endingBytes(tx: Queryable, accountId: string, id: string | undefined): Promise<number> {
    if (id === undefined) return 0;
    const rows = await tx.query<{ bytes: number }>(lockOpen, [id, accountId]);
    return rows.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Deletes a held reservation. No draw when it has ended or was confirmed by an event. */
  release(tx: Queryable, accountId: string, id: string): Promise<Draw[]> {
    return tx.query<Draw>(deleteHeld, [id, accountId]);
  }

  /** Confirms or closes, with one settlement per version. Inserts reservations that have expired before. */
  settle(tx: Queryable, settlements: readonly Settlement[]): Promise<Draw[]> {
    return tx.query<Draw>(settleReservations, [
      settlements.map(({ id }) => id),
      settlements.map(({ accountId }) => accountId),
      settlements.map(({ bytes }) => bytes),
      settlements.map(({ status }) => status),
    ]);
  }

  /** Deletes at most `max` expired reservations, with a draw for each. */
  deleteExpired(tx: Queryable, max: number): Promise<Draw[]> {
    return tx.query<Draw>(deleteExpired, [max]);
  }

  async heldBytes(): Promise<number> {
    const [row] = await this.database.query<{ bytes: number }>(sumHeld, []);
    return row?.bytes ?? 0;
  }

  /** Deletes closed reservations once no event of their version can arrive any more. */
  deleteClosed(): Promise<void> {
    return runInBatches(this.database, deleteClosed);
  }
}

const HELD_MINUTES = 10;

/** Days by which the event that opens an upload may arrive after the event that ends it. */
const CLOSED_DAYS = 30;

const RETURNED = `account_id AS "accountId", -bytes AS "reservedBytes"`;

export const insertHeld = statement(
  'reservations.insert',
  `INSERT INTO reservations (id, account_id, bytes, instead_of, status, expires_at)
   VALUES ($1, $2, $3, $4, 'held', now() + interval '${HELD_MINUTES} minutes')
   ON CONFLICT (id) DO NOTHING RETURNING id`,
);

const findForeign = statement(
  'reservations.find-foreign',
  `SELECT id FROM reservations WHERE id = $1 AND account_id <> $2`,
);

/** The share lock makes transactions that close a reservation wait: its bytes cannot be returned and reused twice. */
export const lockOpen = statement(
  'reservations.lock-open',
  `WITH RECURSIVE ending AS (
     SELECT id, instead_of FROM reservations WHERE id = $1 AND account_id = $2 AND status <> 'closed'
     UNION
     SELECT r.id, r.instead_of
       FROM ending JOIN reservations r ON r.id = ending.instead_of AND r.account_id = $2 AND r.status <> 'closed')
   SELECT bytes FROM reservations
    WHERE id = ANY(ARRAY(SELECT id FROM ending)) AND status <> 'closed' ORDER BY id FOR SHARE`,
);

export const deleteHeld = statement(
  'reservations.release',
  `DELETE FROM reservations WHERE id = $1 AND account_id = $2 AND status = 'held' RETURNING ${RETURNED}`,
);

/**
 * In the order of ids, so that two instances cannot deadlock. A confirmed row without `expires_at` was inserted here and must
 * be drawn; one with `expires_at` was drawn when it was held. A row that is inserted as closed reserves nothing.
 */
export const settleReservations = statement(
  'reservations.settle',
  `INSERT INTO reservations AS kept (id, account_id, bytes, status, closed_at)
   SELECT id, account_id, CASE status WHEN 'closed' THEN 0 ELSE bytes END, status, CASE status WHEN 'closed' THEN now() END
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS settled (id, account_id, bytes, status)
    ORDER BY id
   ON CONFLICT (id) DO UPDATE SET status = excluded.status, closed_at = excluded.closed_at
     WHERE kept.account_id = excluded.account_id AND kept.status <> 'closed' AND kept.status <> excluded.status
   RETURNING account_id AS "accountId",
     CASE WHEN status = 'closed' THEN -bytes WHEN expires_at IS NULL THEN bytes ELSE 0 END AS "reservedBytes"`,
);

export const deleteExpired = statement(
  'reservations.delete-expired',
  `DELETE FROM reservations WHERE id = ANY(ARRAY(
     SELECT id FROM reservations WHERE status = 'held' AND expires_at <= now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING ${RETURNED}`,
);

const sumHeld = statement(
  'reservations.sum-held',
  `SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM reservations WHERE status = 'held'`,
);

export const deleteClosed = statement(
  'reservations.delete-closed',
  `DELETE FROM reservations WHERE id = ANY(ARRAY(
     SELECT id FROM reservations WHERE status = 'closed' AND closed_at <= now() - interval '${CLOSED_DAYS} days'
      ORDER BY closed_at LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING id`,
);
