import { RedisScript, type RedisConnection } from './redis-connection.js';

const TTL_SECONDS = 600;

/** Use of one pool. */
export interface PoolRecord {
  /** Bytes, or seats for identity. */
  readonly used: number;
  readonly limit: number;
}

/**
 * Plan and pools of an account at one moment, in Redis under `funds:<account>`. Reporting writes it, the gateway and auth
 * read it; a lost one is loaded again (OPEN-58).
 */
export interface PoolSnapshot {
  readonly version: number;
  readonly plan: 'active' | 'none';
  readonly storage: PoolRecord;
  /** `cycle_resets_at` in epoch seconds (ENV-12). */
  readonly bandwidth: PoolRecord & { readonly cycle_resets_at: number };
  readonly identity: PoolRecord;
}

/** Pool snapshots of accounts in Redis. Its methods throw RedisUnavailable. */
export class PoolSnapshotCache {
  constructor(private readonly redis: RedisConnection) {}

  /** Stores a snapshot for 10 minutes and returns true; false if Redis holds the same or a newer version. */
  async put(accountId: string, snapshot: PoolSnapshot): Promise<boolean> {
    const values = [JSON.stringify(snapshot), String(snapshot.version), String(TTL_SECONDS)];
    return (await this.redis.run(putIfNewer, [`funds:${accountId}`], values)) === 1;
  }

  /** The snapshot of an account, or null when Redis holds none. */
  async get(accountId: string): Promise<PoolSnapshot | null> {
    const text = (await this.redis.command(['GET', `funds:${accountId}`])) as string | null;
    return text === null ? null : (JSON.parse(text) as PoolSnapshot);
  }
}

const putIfNewer = new RedisScript(`
local current = redis.call('GET', KEYS[1])
if current and cjson.decode(current).version >= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3])
return 1
`);
