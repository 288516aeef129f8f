import type { Role, Seat } from '@vaultsvc/contracts';
import { RedisScript, type RedisConnection } from './redis-connection.js';

const RECORD_TTL_SECONDS = 60;
/** Outlives every write of a record that was read before the revocation (OPEN-52). */
const ENDED_TTL_SECONDS = 300;
/** Without an expiry, uses that auth does not flush would fill Redis, which evicts nothing. */
export const USES_TTL_SECONDS = 604_800;

/**
 * A credential in Redis under `cred:<key>`, where key is `k:` + hex of `lookupHash('apikey', bytes)`, or `s:` + session
 * family. Auth writes it, the admission script reads it; auth writes a lost one again (OPEN-52).
 */
export interface CredentialRecord {
  /** Grows with every change of the credential in PostgreSQL. A write with a lower one loses. */
  readonly version: number;
  readonly status: 'active' | 'revoked';
  readonly kind: 'api_key' | 'session' | 'identity';
  /** null for an identity-only session: it has no account yet. */
  readonly accountId: string | null;
  /** null for an API key; the identity's id (`idn_…`) for an identity-only session. */
  readonly userId: string | null;
  /** `key_…` id or session family. */
  readonly credentialId: string;
  readonly role: Role;
  readonly seat: Seat;
  /** Epoch seconds by Redis' clock; null: no expiry. */
  readonly expiresAt: number | null;
}

/** Credential records in Redis, and the last use of API keys. Its methods throw RedisUnavailable. */
export class CredentialCache {
  constructor(private readonly redis: RedisConnection) {}

  /**
   * Stores a record for 60 s, unless Redis holds a newer version or an ended record of the same version.
   * @param key `k:<hex lookup hash>` or `s:<session family>`
   * @returns whether the record was stored
   */
  put(key: string, record: CredentialRecord): Promise<boolean> {
    return this.#write(key, record, RECORD_TTL_SECONDS);
  }

  /** As `put`, but stores an ended record for 300 s: a late write of an older record does not undo the revocation. */
  revoke(key: string, record: CredentialRecord): Promise<boolean> {
    return this.#write(key, { ...record, status: 'revoked' }, ENDED_TTL_SECONDS);
  }

  /** The last use of these API keys in epoch seconds; keys without a stored use are absent. */
  async lastUsed(ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const seconds = (await this.redis.command(['HMGET', 'used', ...ids])) as (string | null)[];
    return new Map(
      ids.flatMap((id, index) => (seconds[index] ? [[id, Number(seconds[index])] as const] : [])),
    );
  }

  /** The stored last use of every API key, by key id, in epoch seconds. */
  async allUses(): Promise<Map<string, number>> {
    const flat = (await this.redis.run(readUses, ['used'], [])) as string[];
    const uses = new Map<string, number>();
    for (let i = 0; i < flat.length; i += 2) uses.set(flat[i] as string, Number(flat[i + 1]));
    return uses;
  }

  /** Deletes these uses, except of keys that have been used again since. Renews the expiry of all uses. */
  async deleteUses(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.redis.run(
      deleteUnchangedUses,
      ['used'],
      [...uses].flatMap(([id, at]) => [id, String(at)]),
    );
  }

  async #write(key: string, record: CredentialRecord, ttlSeconds: number): Promise<boolean> {
    const values = [JSON.stringify(record), String(record.version), record.status, String(ttlSeconds)];
    return (await this.redis.run(putIfNewer, [`cred:${key}`], values)) === 1;
  }
}

// The same version again renews the expiry: a caller that has just resolved the credential must find the record.
const putIfNewer = new RedisScript(`
local current = redis.call('GET', KEYS[1])
if current then
  local old = cjson.decode(current)
  local version = tonumber(ARGV[2])
  if old.version > version then return 0 end
  if old.version == version and old.status == 'revoked' and ARGV[3] ~= 'revoked' then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[4])
return 1
`);

// A script replies with a flat list in every version of the Redis protocol.
const readUses = new RedisScript(`return redis.call('HGETALL', KEYS[1])`);

// While a key is in constant use the hash is never empty, so each flush must renew its expiry.
const deleteUnchangedUses = new RedisScript(`
redis.call('EXPIRE', KEYS[1], ${USES_TTL_SECONDS})
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', KEYS[1], ARGV[i]) end
end
`);
