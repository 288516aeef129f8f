import type { RecordAuthenticator } from './record-authenticator.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisScript } from './redis-script.js';
import type { RedisReply } from './redis-servers.js';

/** What every record in Redis has. */
export interface VersionedRecord {
  /** Grows with every change of the record in PostgreSQL. A write with a lower one loses. */
  readonly version: number;
}

/** A forged record that is put back between two attempts would otherwise keep a writer for ever. */
const ATTEMPTS_MAX = 3;

/** Records in Redis, each under a key of its own, of which the newest version stays. Its methods throw RedisUnavailable. */
export class VersionedRecords<Stored extends VersionedRecord> {
  constructor(
    private readonly redis: RedisConnection,
    private readonly authenticator: RecordAuthenticator<Stored>,
  ) {}

  /**
   * Stores a record, unless Redis holds a newer version or an ended record of the same version. A record without a valid
   * MAC is replaced, whatever its version.
   * @returns whether the record was stored
   */
  put(name: string, record: Stored, ttlSeconds: number): Promise<boolean> {
    return this.#put(name, record, ttlSeconds, (values) =>
      this.redis.run(putUnlessNewer, [name], [...values, '']),
    );
  }

  /** As `put`; afterwards replicas have the record, or the newer one, as well (REDIS_REVOCATION_REPLICAS). */
  replace(name: string, record: Stored, ttlSeconds: number): Promise<boolean> {
    return this.#put(name, record, ttlSeconds, (values) =>
      this.redis.runReplicated(putUnlessNewer, [name], [...values, '1']),
    );
  }

  async #put(
    name: string,
    record: Stored,
    ttlSeconds: number,
    run: (values: string[]) => Promise<RedisReply>,
  ): Promise<boolean> {
    const text = this.authenticator.encode(name, record, ttlSeconds);
    const isEnded = 'status' in record && record.status === 'revoked';
    let forged = '';
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const newer = await run([text, String(record.version), isEnded ? '1' : '', String(ttlSeconds), forged]);
      if (newer === '') return true;
      if (this.authenticator.decode(name, String(newer))) return false;
      forged = String(newer);
    }
    return false;
  }

  /** The record, or null when Redis holds none with a valid MAC. */
  async get(name: string): Promise<Stored | null> {
    const text = (await this.redis.command(['GET', name])) as string | null;
    return text === null ? null : (this.authenticator.decode(name, text) ?? null);
  }
}

// Replies with the record that is newer, or an empty string. The same version again renews the expiry: a caller that has
// just resolved the credential must find the record. With ARGV[6] a newer record is written again as it is: replicas confirm what a
// connection has written, and the writer of the newer one may still wait for them.
const putUnlessNewer = new RedisScript(`
local current = redis.call('GET', KEYS[1])
local isReadable, old = pcall(cjson.decode, current or '')
local function keep()
  if ARGV[6] == '1' then redis.call('SET', KEYS[1], current, 'KEEPTTL') end
  return current
end
if current and current ~= ARGV[5] and isReadable and type(old) == 'table' and type(old.version) == 'number' then
  local version = tonumber(ARGV[2])
  if old.version > version then return keep() end
  if old.version == version and old.status == 'revoked' and ARGV[3] == '' then return keep() end
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[4])
return ''
`);
