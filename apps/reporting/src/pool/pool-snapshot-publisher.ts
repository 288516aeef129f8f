import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PoolSnapshotCache } from '@vaultsvc/limits';
import { PeriodicJob } from '@vaultsvc/service';
import type { AccountPoolSnapshot } from './pool.repository.js';

const AGAIN_AFTER_MS = 1_000;

/** Shows plans and pools to the gateway. Redis may lose them: the gateway then asks for them again. */
@Injectable()
export class PoolSnapshotPublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #waiting = new Map<string, AccountPoolSnapshot>();
  readonly #again = new PeriodicJob('retry-pool-snapshots', () => this.#publishWaiting());

  constructor(private readonly cache: PoolSnapshotCache) {}

  onApplicationBootstrap(): void {
    this.#again.start(AGAIN_AFTER_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#again.stop();
  }

  /** @throws RedisUnavailable */
  async publish(snapshots: readonly AccountPoolSnapshot[]): Promise<void> {
    await Promise.all(snapshots.map(({ accountId, record }) => this.cache.put(accountId, record)));
  }

  /**
   * As `publish`, and tried again until Redis takes it: a Redis that was away for a moment still holds the record of
   * before, and by that an account that has room again would be refused until the record ends.
   * @throws RedisUnavailable the first time
   */
  async publishSurely(snapshots: readonly AccountPoolSnapshot[]): Promise<void> {
    try {
      await this.publish(snapshots);
    } catch (error) {
      for (const each of snapshots) this.#keepNewer(each);
      throw error;
    }
  }

  /** Of two transactions that ended at once, the one whose effect fails last need not be the later. */
  #keepNewer(snapshot: AccountPoolSnapshot): void {
    const held = this.#waiting.get(snapshot.accountId);
    if (held && held.record.version > snapshot.record.version) return;
    this.#waiting.set(snapshot.accountId, snapshot);
  }

  async #publishWaiting(): Promise<number> {
    const waiting = [...this.#waiting.values()];
    await this.publish(waiting);
    for (const each of waiting) {
      if (this.#waiting.get(each.accountId) === each) this.#waiting.delete(each.accountId);
    }
    return AGAIN_AFTER_MS;
  }
}
