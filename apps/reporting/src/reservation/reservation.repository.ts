import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement, type Queryable } from '@vaultsvc/database';
import type { Draw } from '../pool/pool.repository.js';

/** Room for one version, kept from the call that asks for it. */
export interface Hold {
  readonly id: string;
  readonly accountId: string;
  readonly bytes: number;
}

/** Room that is asked for, and the version that ends when this one is opened. */
export interface AskedRoom extends Hold {
  readonly insteadOf?: string | undefined;
}

/** What the events of a version say of its reservation: wanted, or wanted no more. */
export interface Settlement extends Hold {
  readonly status: 'confirmed' | 'closed';
}

/**
 * What is kept in storage pools for uploads that are not whole yet. Each change says what the pools must draw in the
 * same transaction. Calls decide of what is held only: once an event has spoken, the others alone go on.
 */
@Injectable()
export class ReservationRepository {
  constructor(private readonly database: Database) {}

  /** Holds room for 10 minutes. False when it was asked for before. @throws when another account has this id */
  async hold(tx: Queryable, { id, accountId, bytes, insteadOf }: AskedRoom): Promise<boolean> {
    if ((await tx.query(insertHeld, [id, accountId, bytes, insteadOf ?? null])).length > 0) return true;
    if ((await tx.query(findForeign, [id, accountId])).length > 0)
      throw new Error(`reservation ${id} is of another account`);
    return false;
  }

  /**
   * What is kept for a version that is about to end, and for those before it whose end has not been told yet. It stays so
   * until the commit.
   */
  async endingBytes(tx: Queryable, accountId: string, id: string | undefined): Promise<number> {
    if (id === undefined) return 0;
    const rows = await tx.query<{ bytes: number }>(keepOpen, [id, accountId]);
    return rows.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Ends what is held. Nothing is there to draw when it ended before, or an event has confirmed it. */
  release(tx: Queryable, accountId: string, id: string): Promise<Draw[]> {
    return tx.query<Draw>(deleteHeld, [id, accountId]);
  }

  /** Confirms and closes, one settlement for each version; what has ended meanwhile is made again. */
  settle(tx: Queryable, settlements: readonly Settlement[]): Promise<Draw[]> {
    return tx.query<Draw>(settleReservations, [
      settlements.map(({ id }) => id),
      settlements.map(({ accountId }) => accountId),
      settlements.map(({ bytes }) => bytes),
      settlements.map(({ status }) => status),
    ]);
  }

  /** Ends what has been held for too long: at most so many, one draw for each. */
  endExpired(tx: Queryable, max: number): Promise<Draw[]> {
    return tx.query<Draw>(deleteExpired, [max]);
  }

  async heldBytes(): Promise<number> {
    const [row] = await this.database.query<{ bytes: number }>(sumHeld, []);
    return row?.bytes ?? 0;
  }

  /** Forgets closed ones whose events have all come. */
  forgetClosed(): Promise<void> {
    return runInBatches(this.database, forgetClosed);
  }
}

const HELD_MINUTES = 10;

/** Days for which an event of the opening may come after that of the end. */
const REMEMBERED_DAYS = 30;

const GIVEN_BACK = `account_id AS "accountId", -bytes AS "reservedBytes"`;

export const insertHeld = statement(
  'reservations.hold',
  `INSERT INTO reservations (id, account_id, bytes, instead_of, status, expires_at)
   VALUES ($1, $2, $3, $4, 'held', now() + interval '${HELD_MINUTES} minutes')
   ON CONFLICT (id) DO NOTHING RETURNING id`,
);

const findForeign = statement(
  'reservations.find-foreign',
  `SELECT id FROM reservations WHERE id = $1 AND account_id <> $2`,
);

/** Whoever closes it waits, so that its room is not given back while it is counted as room here. */
export const keepOpen = statement(
  'reservations.keep-open',
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
  `DELETE FROM reservations WHERE id = $1 AND account_id = $2 AND status = 'held' RETURNING ${GIVEN_BACK}`,
);

/**
 * In the order of ids, so that two copies never wait for each other. Of what it returns, a confirmed row without
 * `expires_at` was made here; one with it is counted since it was held. What comes closed into the table keeps nothing.
 */
export const settleReservations = statement(
  'reservations.settle',
  `INSERT INTO reservations AS kept (id, account_id, bytes, status, closed_at)
   SELECT id, account_id, CASE status WHEN 'closed' THEN 0 ELSE bytes END, status, CASE status WHEN 'closed' THEN now() END
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS told (id, account_id, bytes, status)
    ORDER BY id
   ON CONFLICT (id) DO UPDATE SET status = excluded.status, closed_at = excluded.closed_at
     WHERE kept.account_id = excluded.account_id AND kept.status <> 'closed' AND kept.status <> excluded.status
   RETURNING account_id AS "accountId",
     CASE WHEN status = 'closed' THEN -bytes WHEN expires_at IS NULL THEN bytes ELSE 0 END AS "reservedBytes"`,
);

export const deleteExpired = statement(
  'reservations.end-expired',
  `DELETE FROM reservations WHERE id = ANY(ARRAY(
     SELECT id FROM reservations WHERE status = 'held' AND expires_at <= now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING ${GIVEN_BACK}`,
);

const sumHeld = statement(
  'reservations.sum-held',
  `SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM reservations WHERE status = 'held'`,
);

export const forgetClosed = statement(
  'reservations.forget-closed',
  `DELETE FROM reservations WHERE id = ANY(ARRAY(
     SELECT id FROM reservations WHERE status = 'closed' AND closed_at <= now() - interval '${REMEMBERED_DAYS} days'
      ORDER BY closed_at LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING id`,
);
