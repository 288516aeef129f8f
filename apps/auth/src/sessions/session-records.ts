import { Injectable } from '@nestjs/common';
import { CredentialCache } from '@vaultsvc/limits';
import { sessionCacheKey, sessionRecord, type SessionPrincipal } from '../credentials/credential-records.js';
import { PrincipalRepository } from '../credentials/principal.repository.js';

/** Nobody bounds how often a person signs in: that many sessions must not take every connection from the others. */
const BATCH_MAX = 500;

/** What a process read before it stood still might outlive the tombstone of a later end (OPEN-52). */
const READING_AGE_MAX_MS = 60_000;

/** Keeps what requests are admitted by in step with PostgreSQL. */
@Injectable()
export class SessionRecords {
  constructor(
    private readonly principals: PrincipalRepository,
    private readonly cache: CredentialCache,
  ) {}

  /**
   * Writes the records of these sessions as they are now; those that have ended become tombstones. Call it after the
   * commit and before the answer, so that success means "from the next request on". Throws `RedisUnavailable`: what
   * was committed then holds within the 60 seconds that a record lives.
   */
  async renew(sessionIds: readonly string[]): Promise<void> {
    for (let i = 0; i < sessionIds.length; i += BATCH_MAX) {
      const readAtMs = performance.now();
      const principals = await this.principals.ofSessions(sessionIds.slice(i, i + BATCH_MAX));
      if (performance.now() - readAtMs > READING_AGE_MAX_MS)
        throw new Error('the sessions were read too long ago');
      await Promise.all(principals.map((principal) => this.#write(principal)));
    }
  }

  #write(principal: SessionPrincipal): Promise<boolean> {
    const record = sessionRecord(principal);
    const key = sessionCacheKey(principal.id);
    return record.status === 'active' ? this.cache.put(key, record) : this.cache.revoke(key, record);
  }
}
