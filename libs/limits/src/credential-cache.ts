import type { Role, Seat } from '@vaultsvc/contracts';
import { USES } from './key-names.js';
import type { RecordAuthenticator } from './record-authenticator.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisScript } from './redis-script.js';
import { VersionedRecords, type VersionedRecord } from './versioned-records.js';

const RECORD_TTL_SECONDS = 60;
/** Outlives every write of a record that was read before the revocation (OPEN-52). */
const ENDED_TTL_SECONDS = 300;
/** Without an expiry, uses that auth does not flush would fill Redis, which evicts nothing. */
export const USES_TTL_SECONDS = 604_800;

/**
 * A credential in Redis under `cred:<key>`, where key is `k:` + hex of `lookupHash('apikey', bytes)`, or `s:` + session
 * family. Auth writes it under a MAC, the admission script reads it; auth writes a lost one again (OPEN-52).
 */
export interface CredentialRecord extends VersionedRecord {
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
  readonly #records: VersionedRecords<CredentialRecord>;

  constructor(
    private readonly redis: RedisConnection,
    authenticator: RecordAuthenticator<CredentialRecord>,
  ) {
    this.#records = new VersionedRecords(redis, authenticator);
  }

  /**
   * Stores a record for 60 s, an ended one for 300 s, unless Redis holds a newer version or an ended record of the same version.
   * @param key `k:<hex lookup hash>` or `s:<session family>`
   * @returns whether the record was stored
   */
  put(key: string, record: CredentialRecord): Promise<boolean> {
    return this.#records.put(this.redis.names.credential(key), record, ttlOf(record));
  }

  /**
   * As `put`, for a record that has changed: it is on replicas when this resolves, as many as REDIS_REVOCATION_REPLICAS says, so that
   * a failover does not undo the change.
   */
  replace(key: string, record: CredentialRecord): Promise<boolean> {
    return this.#records.replace(this.redis.names.credential(key), record, ttlOf(record));
  }

  /** As `replace`, with an ended record: a late write of an older record does not undo the revocation. */
  revoke(key: string, record: CredentialRecord): Promise<boolean> {
    return this.replace(key, { ...record, status: 'revoked' });
  }

  /** The last use of these API keys in epoch seconds; keys without a stored use are absent. */
  async lastUsed(ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const seconds = (await this.redis.command(['HMGET', USES, ...ids])) as (string | null)[];
    return new Map(
      ids.flatMap((id, index) => (seconds[index] ? [[id, Number(seconds[index])] as const] : [])),
    );
  }

  /** The stored last use of every API key, by key id, in epoch seconds. */
  async allUses(): Promise<Map<string, number>> {
    const flat = (await this.redis.run(readUses, [USES], [])) as string[];
    const uses = new Map<string, number>();
    for (let i = 0; i < flat.length; i += 2) uses.set(flat[i] as string, Number(flat[i + 1]));
    return uses;
  }

  /** Deletes these uses, except of keys that have been used again since. Renews the expiry of all uses. */
  async deleteUses(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.redis.run(
      deleteUnchangedUses,
      [USES],
      [...uses].flatMap(([id, at]) => [id, String(at)]),
    );
  }
}

function ttlOf({ status }: CredentialRecord): number {
  return status === 'revoked' ? ENDED_TTL_SECONDS : RECORD_TTL_SECONDS;
}

// A script replies with a flat list in every version of the Redis protocol.
const readUses = new RedisScript(`return redis.call('HGETALL', KEYS[1])`);

// While a key is in constant use the hash is never empty, so each flush must renew its expiry.
const deleteUnchangedUses = new RedisScript(`
redis.call('EXPIRE', KEYS[1], ${USES_TTL_SECONDS})
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', KEYS[1], ARGV[i]) end
end
`);
