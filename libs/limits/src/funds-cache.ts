import type { FundsRecord } from './records.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisScript } from './redis-script.js';

const TTL_SECONDS = 600;

/** Plan and pools of accounts in Redis. Throws RedisUnavailable. */
export class FundsCache {
  constructor(private readonly redis: RedisConnection) {}

  /** Remembers a record for 10 minutes unless Redis holds one of the same or a newer version; says whether it did. */
  async put(accountId: string, record: FundsRecord): Promise<boolean> {
    const values = [JSON.stringify(record), String(record.version), String(TTL_SECONDS)];
    return (await this.redis.run(putIfNewer, [`funds:${accountId}`], values)) === 1;
  }

  async get(accountId: string): Promise<FundsRecord | null> {
    const text = (await this.redis.command(['GET', `funds:${accountId}`])) as string | null;
    return text === null ? null : (JSON.parse(text) as FundsRecord);
  }
}

const putIfNewer = new RedisScript(`
local held = redis.call('GET', KEYS[1])
if held and cjson.decode(held).version >= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3])
return 1
`);
