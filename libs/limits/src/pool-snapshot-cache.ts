import type { PoolSnapshot } from './records.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisScript } from './redis-script.js';

const TTL_SECONDS = 600;

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
