import { Injectable } from '@nestjs/common';
import { CredentialCache } from '@vaultsvc/limits';
import { sessionCacheKey, sessionRecord, type SessionPrincipal } from '../credentials/credential-records.js';
import { PrincipalRepository } from '../credentials/principal.repository.js';

/** Updating many sessions must not occupy the whole connection pool. */
const BATCH_MAX = 500;

/** A record read by a process that was paused could outlive the ended record of a later end (OPEN-52). */
const READING_AGE_MAX_MS = 60_000;

/** Updates the cached session records, by which the gateway authenticates, from PostgreSQL. */
@Injectable()
export class SessionRecordWriter {
  constructor(
    private readonly principals: PrincipalRepository,
    private readonly cache: CredentialCache,
  ) {}

  /**
   * Writes the current records of these sessions; ended sessions get an ended record. Call it after the commit and before the
   * reply, so that success means "from the next request on".
   * @throws RedisUnavailable; the change then takes effect within the 60 seconds that a record lives
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
    return this.cache.replace(sessionCacheKey(principal.id), sessionRecord(principal));
  }
}
