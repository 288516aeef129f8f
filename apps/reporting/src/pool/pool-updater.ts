import { Injectable } from '@nestjs/common';
import { AppError, quotaExceeded } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';
import type { PoolSnapshot } from '@vaultsvc/limits';
import type { Entry } from '../ledger/ledger.repository.js';
import { PoolSnapshotPublisher } from './pool-snapshot-publisher.js';
import {
  PoolRepository,
  type AccountPoolSnapshot,
  type Draw,
  type PoolLimits,
  type UseAtMost,
} from './pool.repository.js';

/**
 * Updates pools in the caller's transaction and publishes their snapshots after the commit. Transactions lock the rows of
 * pools last, so waiting for one cannot deadlock.
 */
@Injectable()
export class PoolUpdater {
  constructor(
    private readonly pools: PoolRepository,
    private readonly publisher: PoolSnapshotPublisher,
  ) {}

  async draw(tx: Transaction, draws: readonly Draw[]): Promise<void> {
    this.#publish(tx, await this.pools.draw(tx, draws));
  }

  /**
   * Reserves storage. `endingBytes` are reserved for versions that end with this reservation, and count as free.
   * @throws AppError QUOTA_EXCEEDED when the pool has too little free storage, PLAN_REQUIRED when the plan has ended
   */
  async reserve(tx: Transaction, accountId: string, bytes: number, endingBytes = 0): Promise<void> {
    const snapshot = await this.pools.reserve(tx, accountId, bytes, endingBytes);
    this.#publish(tx, [snapshot ?? (await this.#retryWithPools(tx, accountId, bytes))]);
  }

  /**
   * Changes plan and limits of an account.
   * @throws AppError ALLOWANCE_IN_USE naming the first resource of which more is in use than `useAtMost`
   */
  async setLimits(
    tx: Transaction,
    accountId: string,
    limits: PoolLimits,
    useAtMost: UseAtMost,
  ): Promise<void> {
    const { record } = await this.pools.current(tx, accountId); // creates the pools of a new account
    const snapshot = await this.pools.setLimits(tx, accountId, limits, useAtMost);
    if (!snapshot) throw allowanceInUse(record, useAtMost);
    this.#publish(tx, [snapshot]);
  }

  /** Creates the pools of an account on its first use and tries again; a refusal is final then (ENV-23, ENV-24). */
  async #retryWithPools(tx: Transaction, accountId: string, bytes: number): Promise<AccountPoolSnapshot> {
    const { record } = await this.pools.current(tx, accountId);
    const snapshot = await this.pools.reserve(tx, accountId, bytes);
    if (snapshot) return snapshot;
    throw record.plan === 'active' ? quotaExceeded('storage') : new AppError('PLAN_REQUIRED');
  }

  #publish(tx: Transaction, snapshots: readonly AccountPoolSnapshot[]): void {
    if (snapshots.length > 0) tx.afterCommit(() => this.publisher.publishWithRetry(snapshots));
  }
}

/** BIL-02: names storage unless it was only the seats: the use may have changed since it was read. */
function allowanceInUse({ storage, identity }: PoolSnapshot, useAtMost: UseAtMost): AppError {
  const { storageBytes, identitySeats } = useAtMost;
  const areSeats = identitySeats !== null && identity.used > identitySeats;
  const isStorage = storageBytes !== null && (storage.used > storageBytes || !areSeats);
  return isStorage
    ? new AppError('ALLOWANCE_IN_USE', { resource: 'storage', used: storage.used, limit: storageBytes })
    : new AppError('ALLOWANCE_IN_USE', { resource: 'identity', used: identity.used, limit: identitySeats });
}

/** The draws of ledger entries; operations use no bytes and draw nothing. */
export function drawsOf(entries: readonly Entry[]): Draw[] {
  const drawing = entries.filter((entry) => (entry.storageBytes ?? entry.bandwidthBytes) !== null);
  return drawing.map(({ accountId, storageBytes, bandwidthBytes }) => ({
    accountId,
    storageBytes: storageBytes ?? 0,
    bandwidthBytes: bandwidthBytes ?? 0,
  }));
}
