import { Injectable } from '@nestjs/common';
import { epochSeconds, statement, type Queryable } from '@vaultsvc/database';
import type { PoolSnapshot } from '@vaultsvc/limits';
import { Plans } from './plans.js';

/** A change of an account's pools. Negative amounts are returned to the pool. */
export interface Draw {
  readonly accountId: string;
  readonly storageBytes?: number;
  /** Storage reserved for incomplete uploads. */
  readonly reservedBytes?: number;
  readonly bandwidthBytes?: number;
  readonly seats?: number;
}

/** The pool snapshot of an account. Its version orders the snapshots of the account. */
export interface AccountPoolSnapshot {
  readonly accountId: string;
  readonly record: PoolSnapshot;
}

/** The limits that a subscription gives. null: what the plan says. */
export interface PoolLimits {
  readonly plan: string;
  readonly status: 'active' | 'none';
  readonly storageBytes: number | null;
  readonly bandwidthBytes: number | null;
  readonly identitySeats: number | null;
}

/** The most that may be in use for a change of limits. null: anything. */
export interface UseAtMost {
  readonly storageBytes: number | null;
  readonly identitySeats: number | null;
}

/** The plan and the pools of each account. */
@Injectable()
export class PoolRepository {
  constructor(private readonly plans: Plans) {}

  /**
   * Applies all draws in one statement and returns a snapshot per account. The first draw of an account creates its pools
   * with the default plan. A draw after the end of a bandwidth cycle starts the next cycle.
   */
  async draw(tx: Queryable, draws: readonly Draw[]): Promise<AccountPoolSnapshot[]> {
    if (draws.length === 0) return [];
    const rows = await tx.query<PoolRow>(drawFromPools, [
      draws.map(({ accountId }) => accountId),
      draws.map(({ storageBytes = 0 }) => storageBytes),
      draws.map(({ reservedBytes = 0 }) => reservedBytes),
      draws.map(({ bandwidthBytes = 0 }) => bandwidthBytes),
      draws.map(({ seats = 0 }) => seats),
    ]);
    return rows.map((row) => this.#snapshotOf(row));
  }

  /**
   * Reserves storage; `endingBytes`, which are about to be released, count as free. Undefined when the pool has too little
   * free storage, the plan has ended, or the account has no pools yet.
   */
  async reserve(
    tx: Queryable,
    accountId: string,
    bytes: number,
    endingBytes = 0,
  ): Promise<AccountPoolSnapshot | undefined> {
    const limits = JSON.stringify(this.plans.storageBytes());
    const [row] = await tx.query<PoolRow>(addReserved, [accountId, bytes, limits, endingBytes]);
    return row && this.#snapshotOf(row);
  }

  /** Changes plan and limits; undefined when more is in use than `useAtMost`, or the account has no pools yet. */
  async setLimits(
    tx: Queryable,
    accountId: string,
    limits: PoolLimits,
    useAtMost: UseAtMost,
  ): Promise<AccountPoolSnapshot | undefined> {
    const [row] = await tx.query<PoolRow>(setLimits, [
      accountId,
      limits.plan,
      limits.status,
      limits.storageBytes,
      limits.bandwidthBytes,
      limits.identitySeats,
      useAtMost.storageBytes,
      useAtMost.identitySeats,
    ]);
    return row && this.#snapshotOf(row);
  }

  /** The current snapshot; creates the pools of a new account and starts a new cycle if the last one has ended. */
  async current(db: Queryable, accountId: string): Promise<AccountPoolSnapshot> {
    const [row] = await db.query<PoolRow>(selectCurrent, [accountId]);
    if (row) return this.#snapshotOf(row);
    const [snapshot] = await this.draw(db, [{ accountId }]);
    return snapshot as AccountPoolSnapshot; // the statement returns a row per account
  }

  #snapshotOf(row: PoolRow): AccountPoolSnapshot {
    const plan = this.plans.named(row.plan);
    const record: PoolSnapshot = {
      version: row.version,
      plan: row.status,
      storage: { used: row.storage_used, limit: row.storage_limit ?? plan.storageBytes },
      bandwidth: {
        used: row.bandwidth_used,
        limit: row.bandwidth_limit ?? plan.bandwidthBytes,
        cycle_resets_at: row.cycle_resets_at,
      },
      identity: { used: row.identity_used, limit: row.identity_limit ?? plan.identitySeats },
    };
    return { accountId: row.account_id, record };
  }
}

interface PoolRow {
  account_id: string;
  plan: string;
  status: 'active' | 'none';
  storage_used: number;
  storage_limit: number | null;
  bandwidth_used: number;
  bandwidth_limit: number | null;
  cycle_resets_at: number;
  identity_used: number;
  identity_limit: number | null;
  version: number;
}

/** Events may be applied out of order, so a sum can be negative for a moment. Snapshots show 0 instead. */
const STORAGE = `greatest(storage_used, 0) + storage_reserved`;

/** An account has an owner from its creation on (OPEN-07), also while the event that counts the owner is on its way. */
const SEATS = `greatest(identity_used, 1)`;

const COLUMNS = `account_id, plan, status, version, storage_limit, bandwidth_limit, identity_limit,
  ${STORAGE} AS storage_used, bandwidth_used, ${SEATS} AS identity_used,
  ${epochSeconds('cycle_resets_at')}`;

const selectCurrent = statement(
  'pools.current',
  `SELECT ${COLUMNS} FROM pools WHERE account_id = $1 AND cycle_resets_at > now()`,
);

/** A plan that is not configured has no limit here, so the comparison is NULL and nothing is reserved. */
export const addReserved = statement(
  'pools.reserve-storage',
  `UPDATE pools SET storage_reserved = storage_reserved + $2::bigint, version = version + 1
    WHERE account_id = $1 AND status = 'active'
      AND ${STORAGE} + $2::bigint - $4::bigint <= coalesce(storage_limit, ($3::jsonb ->> plan)::bigint)
   RETURNING ${COLUMNS}`,
);

const setLimits = statement(
  'pools.set-limits',
  `UPDATE pools SET plan = $2, status = $3, storage_limit = $4, bandwidth_limit = $5, identity_limit = $6,
          version = version + 1
    WHERE account_id = $1 AND ($7::bigint IS NULL OR ${STORAGE} <= $7::bigint)
      AND ($8::bigint IS NULL OR ${SEATS} <= $8::bigint)
   RETURNING ${COLUMNS}`,
);

/**
 * Locks rows in the order of accounts, so that two instances cannot deadlock. The next cycle ends a whole number of cycles
 * after the last one, however long the account was idle.
 */
const drawFromPools = statement(
  'pools.draw',
  `INSERT INTO pools AS pool (account_id, storage_used, storage_reserved, bandwidth_used, identity_used)
   SELECT account_id, sum(storage), sum(reserved), sum(bandwidth), sum(seats)
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
       AS drawn (account_id, storage, reserved, bandwidth, seats)
    GROUP BY account_id ORDER BY account_id
   ON CONFLICT (account_id) DO UPDATE SET
     storage_used = pool.storage_used + excluded.storage_used,
     storage_reserved = pool.storage_reserved + excluded.storage_reserved,
     identity_used = pool.identity_used + excluded.identity_used,
     bandwidth_used = excluded.bandwidth_used
       + CASE WHEN pool.cycle_resets_at > now() THEN pool.bandwidth_used ELSE 0 END,
     cycle_resets_at = CASE WHEN pool.cycle_resets_at > now() THEN pool.cycle_resets_at ELSE pool.cycle_resets_at
       + interval '720 hours' * (1 + floor(extract(epoch FROM now() - pool.cycle_resets_at) / (720 * 3600))) END,
     version = pool.version + 1
   RETURNING ${COLUMNS}`,
);
