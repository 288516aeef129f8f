import { Injectable } from '@nestjs/common';
import { epochSeconds, statement, type Queryable } from '@vaultsvc/database';
import type { PoolSnapshot } from '@vaultsvc/limits';
import { Plans } from './plan.js';

/** What an account draws from its pools; negative gives back. */
export interface Draw {
  readonly accountId: string;
  readonly storageBytes?: number;
  /** Storage that is kept for uploads which are not whole yet. */
  readonly reservedBytes?: number;
  readonly bandwidthBytes?: number;
  readonly seats?: number;
}

/** An account's plan and pools at one moment, with the version that orders such moments. */
export interface AccountPoolSnapshot {
  readonly accountId: string;
  readonly record: PoolSnapshot;
}

/** Plan and pools of each account: the sums that requests are decided by. */
@Injectable()
export class PoolRepository {
  constructor(private readonly plans: Plans) {}

  /**
   * Applies all draws in one statement and returns the pools of each account as they are then. An account's first
   * draw makes its pools, with the default plan. A bandwidth cycle that has ended begins anew here.
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
   * Keeps room if there is room, where what is about to be given back counts as room. Undefined: there is not, the plan
   * has ended, or the account has no pools yet.
   */
  async reserve(
    tx: Queryable,
    accountId: string,
    bytes: number,
    endingBytes = 0,
  ): Promise<AccountPoolSnapshot | undefined> {
    const limits = JSON.stringify(this.plans.storageBytes());
    const [row] = await tx.query<PoolRow>(reserveStorage, [accountId, bytes, limits, endingBytes]);
    return row && this.#snapshotOf(row);
  }

  /** An account's pools now; makes them if it has none yet. */
  async current(db: Queryable, accountId: string): Promise<AccountPoolSnapshot> {
    const [row] = await db.query<PoolRow>(selectCurrent, [accountId]);
    if (row) return this.#snapshotOf(row);
    const [snapshot] = await this.draw(db, [{ accountId }]);
    return snapshot as AccountPoolSnapshot; // the statement returns a row for each account that it is given
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

/** Events may be applied out of order, so a sum can be below zero for a moment; nobody is shown that. */
const STORAGE = `greatest(storage_used, 0) + storage_reserved`;

const COLUMNS = `account_id, plan, status, version, storage_limit, bandwidth_limit, identity_limit,
  ${STORAGE} AS storage_used, bandwidth_used, greatest(identity_used, 0) AS identity_used,
  ${epochSeconds('cycle_resets_at')}`;

const selectCurrent = statement(
  'pools.current',
  `SELECT ${COLUMNS} FROM pools WHERE account_id = $1 AND cycle_resets_at > now()`,
);

/** A plan that the configuration does not have gives no limit, and so no room. */
export const reserveStorage = statement(
  'pools.reserve-storage',
  `UPDATE pools SET storage_reserved = storage_reserved + $2::bigint, version = version + 1
    WHERE account_id = $1 AND status = 'active'
      AND ${STORAGE} + $2::bigint - $4::bigint <= coalesce(storage_limit, ($3::jsonb ->> plan)::bigint)
   RETURNING ${COLUMNS}`,
);

/**
 * Rows are locked in the order of their accounts, so that two copies never wait for each other. The next cycle
 * ends a whole number of cycles after the last one did, however long nobody used the account.
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
