import type { CredentialRecord } from './records.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisScript } from './redis-script.js';

const RECORD_TTL_SECONDS = 60;
/** Longer than a record that was read before the revocation can still be on its way (OPEN-52). */
const TOMBSTONE_TTL_SECONDS = 300;
/** Uses that nobody has noted for a week are forgotten, or they would fill a Redis that drops nothing. */
export const USES_TTL_SECONDS = 604_800;

/** Credential records in Redis, and when API keys were last used. Throws RedisUnavailable. */
export class CredentialCache {
  constructor(private readonly redis: RedisConnection) {}

  /**
   * Remembers a record for 60 s, unless Redis holds a newer version or a tombstone of the same one.
   * @param key `k:<hex lookup hash>` or `s:<session family>`
   * @returns whether it was written
   */
  put(key: string, record: CredentialRecord): Promise<boolean> {
    return this.#write(key, record, RECORD_TTL_SECONDS);
  }

  /** As `put`, for a record that is revoked: it outlives every older record that may still arrive. */
  revoke(key: string, record: CredentialRecord): Promise<boolean> {
    return this.#write(key, { ...record, status: 'revoked' }, TOMBSTONE_TTL_SECONDS);
  }

  /** When these API keys were last used, in epoch seconds; keys whose use was forgotten are absent. */
  async lastUsed(ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const seconds = (await this.redis.command(['HMGET', 'used', ...ids])) as (string | null)[];
    return new Map(
      ids.flatMap((id, index) => (seconds[index] ? [[id, Number(seconds[index])] as const] : [])),
    );
  }

  /** When any key was last used, of those that are not forgotten yet. */
  async allUses(): Promise<Map<string, number>> {
    const flat = (await this.redis.run(all, ['used'], [])) as string[];
    const uses = new Map<string, number>();
    for (let i = 0; i < flat.length; i += 2) uses.set(flat[i] as string, Number(flat[i + 1]));
    return uses;
  }

  /** Forgets these uses, but not that a key has been used again since. */
  async forgetUses(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.redis.run(
      forget,
      ['used'],
      [...uses].flatMap(([id, at]) => [id, String(at)]),
    );
  }

  async #write(key: string, record: CredentialRecord, ttlSeconds: number): Promise<boolean> {
    const values = [JSON.stringify(record), String(record.version), record.status, String(ttlSeconds)];
    return (await this.redis.run(putIfNewer, [`cred:${key}`], values)) === 1;
  }
}

// The same version again renews the time to live: whoever has just asked auth must find the record.
const putIfNewer = new RedisScript(`
local held = redis.call('GET', KEYS[1])
if held then
  local old = cjson.decode(held)
  local version = tonumber(ARGV[2])
  if old.version > version then return 0 end
  if old.version == version and old.status == 'revoked' and ARGV[3] ~= 'revoked' then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[4])
return 1
`);

// By a script, whose answers are flat lists whatever protocol the client speaks.
const all = new RedisScript(`return redis.call('HGETALL', KEYS[1])`);

// Whoever forgets has noted: where one key is always in use the hash is never empty, and its week would end.
const forget = new RedisScript(`
redis.call('EXPIRE', KEYS[1], ${USES_TTL_SECONDS})
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', KEYS[1], ARGV[i]) end
end
`);
