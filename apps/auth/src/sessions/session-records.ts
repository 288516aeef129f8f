import { Inject, Injectable } from '@nestjs/common';
import { CredentialCache } from '@vaultsvc/limits';
import { sessionCacheKey, sessionRecord } from '../credentials/credential-records.js';
import { PrincipalRepository } from '../credentials/principal.repository.js';

/** Keeps what requests are admitted by in step with PostgreSQL. */
@Injectable()
export class SessionRecords {
  constructor(
    @Inject(PrincipalRepository) private readonly principals: PrincipalRepository,
    @Inject(CredentialCache) private readonly cache: CredentialCache,
  ) {}

  /**
   * Writes the records of these sessions as they are now; those that have ended become tombstones. Call it after the
   * commit and before the answer, so that success means "from the next request on". Throws `RedisUnavailable`: what
   * was committed then holds within the 60 seconds that a record lives.
   */
  async renew(sessionIds: readonly string[]): Promise<void> {
    await Promise.all(sessionIds.map((id) => this.#renew(id)));
  }

  async #renew(id: string): Promise<void> {
    const principal = await this.principals.ofSession(id);
    if (!principal) return;
    const record = sessionRecord(principal);
    const key = sessionCacheKey(id);
    await (record.status === 'active' ? this.cache.put(key, record) : this.cache.revoke(key, record));
  }
}
