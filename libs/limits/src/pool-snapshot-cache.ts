import type { RecordAuthenticator } from './record-authenticator.js';
import type { RedisConnection } from './redis-connection.js';
import { VersionedRecords, type VersionedRecord } from './versioned-records.js';

const TTL_SECONDS = 600;

/** Use of one pool. */
export interface PoolRecord {
  /** Bytes, or seats for identity. */
  readonly used: number;
  readonly limit: number;
}

/**
 * Plan and pools of an account at one moment, in Redis under `funds:<account>`. Reporting writes it under a MAC, the
 * gateway and auth read it; a lost one is loaded again (OPEN-58).
 */
export interface PoolSnapshot extends VersionedRecord {
  readonly plan: 'active' | 'none';
  readonly storage: PoolRecord;
  /** `cycle_resets_at` in epoch seconds (ENV-12). */
  readonly bandwidth: PoolRecord & { readonly cycle_resets_at: number };
  readonly identity: PoolRecord;
}

/** Pool snapshots of accounts in Redis. Its methods throw RedisUnavailable. */
export class PoolSnapshotCache {
  readonly #records: VersionedRecords<PoolSnapshot>;

  constructor(
    private readonly redis: RedisConnection,
    authenticator: RecordAuthenticator<PoolSnapshot>,
  ) {
    this.#records = new VersionedRecords(redis, authenticator);
  }

  /** Stores a snapshot for 10 minutes and returns true; false if Redis holds a newer version. */
  put(accountId: string, snapshot: PoolSnapshot): Promise<boolean> {
    return this.#records.put(this.redis.names.poolSnapshot(accountId), snapshot, TTL_SECONDS);
  }

  /** The snapshot of an account, or null when Redis holds none with a valid MAC. */
  get(accountId: string): Promise<PoolSnapshot | null> {
    return this.#records.get(this.redis.names.poolSnapshot(accountId));
  }
}
