import { Injectable } from '@nestjs/common';
import { AppError, quotaExceeded } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';
import { PoolSnapshotPublisher } from './pool-snapshot-publisher.js';
import { PoolRepository, type Draw, type AccountPoolSnapshot } from './pool.repository.js';

/**
 * Changes pools in the caller's transaction, and shows them to the gateway once it stands. The rows of pools are what
 * a transaction locks last: whoever waits for one is waited for by nobody.
 */
@Injectable()
export class Pools {
  constructor(
    private readonly pools: PoolRepository,
    private readonly publisher: PoolSnapshotPublisher,
  ) {}

  async draw(tx: Transaction, draws: readonly Draw[]): Promise<void> {
    this.#show(tx, await this.pools.draw(tx, draws));
  }

  /**
   * Keeps room in the storage pool.
   * @throws AppError QUOTA_EXCEEDED when there is none, PLAN_REQUIRED when the plan has ended
   */
  async reserve(tx: Transaction, accountId: string, bytes: number, endingBytes = 0): Promise<void> {
    const reserved = await this.pools.reserve(tx, accountId, bytes, endingBytes);
    this.#show(tx, [reserved ?? (await this.#reserveKnown(tx, accountId, bytes))]);
  }

  /** An account's first use makes its pools, so what is refused now is refused for good. */
  async #reserveKnown(tx: Transaction, accountId: string, bytes: number): Promise<AccountPoolSnapshot> {
    const { record } = await this.pools.current(tx, accountId);
    const reserved = await this.pools.reserve(tx, accountId, bytes);
    if (reserved) return reserved;
    throw record.plan === 'active' ? quotaExceeded('storage') : new AppError('PLAN_REQUIRED');
  }

  #show(tx: Transaction, snapshots: readonly AccountPoolSnapshot[]): void {
    if (snapshots.length > 0) tx.afterCommit(() => this.publisher.publishSurely(snapshots));
  }
}
