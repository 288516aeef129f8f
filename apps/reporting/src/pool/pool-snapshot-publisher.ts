import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PoolSnapshotCache } from '@vaultsvc/limits';
import { PeriodicJob } from '@vaultsvc/service';
import type { AccountPoolSnapshot } from './pool.repository.js';

const RETRY_AFTER_MS = 1_000;

/** Publishes pool snapshots to Redis for the gateway. Redis may lose them: the gateway then requests them again. */
@Injectable()
export class PoolSnapshotPublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #pending = new Map<string, AccountPoolSnapshot>();
  readonly #retries = new PeriodicJob('retry-pool-snapshots', () => this.#publishPending());

  constructor(private readonly cache: PoolSnapshotCache) {}

  onApplicationBootstrap(): void {
    this.#retries.start(RETRY_AFTER_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#retries.stop();
  }

  /** @throws RedisUnavailable */
  async publish(snapshots: readonly AccountPoolSnapshot[]): Promise<void> {
    await Promise.all(snapshots.map(({ accountId, record }) => this.cache.put(accountId, record)));
  }

  /**
   * As `publish`, with retries until it succeeds. Otherwise a stale snapshot would remain in Redis after an outage, and an
   * account with free storage again would be refused until it expires.
   * @throws RedisUnavailable when the first attempt fails
   */
  async publishWithRetry(snapshots: readonly AccountPoolSnapshot[]): Promise<void> {
    try {
      await this.publish(snapshots);
    } catch (error) {
      for (const each of snapshots) this.#retryLater(each);
      throw error;
    }
  }

  /** Keeps the newer snapshot: of two concurrent transactions, the later failure need not be of the later commit. */
  #retryLater(snapshot: AccountPoolSnapshot): void {
    const pending = this.#pending.get(snapshot.accountId);
    if (pending && pending.record.version > snapshot.record.version) return;
    this.#pending.set(snapshot.accountId, snapshot);
  }

  async #publishPending(): Promise<number> {
    const pending = [...this.#pending.values()];
    await this.publish(pending);
    for (const each of pending) {
      if (this.#pending.get(each.accountId) === each) this.#pending.delete(each.accountId);
    }
    return RETRY_AFTER_MS;
  }
}
