import type { CredentialRecord } from './credential-cache.js';
import type { RecordAuthenticator } from './record-authenticator.js';
import type { RedisConnection } from './redis-connection.js';
import { VersionedRecords } from './versioned-records.js';

/** Reads credential records without counting a call: for connections that outlive the call that opened them. */
export class CredentialReader {
  readonly #records: VersionedRecords<CredentialRecord>;

  constructor(
    private readonly redis: RedisConnection,
    authenticator: RecordAuthenticator<CredentialRecord>,
  ) {
    this.#records = new VersionedRecords(redis, authenticator);
  }

  /**
   * The record, active or not; null when Redis holds none with a valid MAC.
   * @param key `k:<hex lookup hash>` or `s:<session family>`
   * @throws RedisUnavailable
   */
  read(key: string): Promise<CredentialRecord | null> {
    return this.#records.get(this.redis.names.credential(key));
  }
}
