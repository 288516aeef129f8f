import { Injectable } from '@nestjs/common';
import { CredentialCache } from '@vaultsvc/limits';
import { ApiKeyRepository } from './api-key.repository.js';

/** Brings the times of last use from Redis to PostgreSQL, so that requests never write rows (KEY-14). */
@Injectable()
export class FlushKeyUses {
  readonly everySeconds = 60;
  /** What PostgreSQL has had since the last run. */
  #noted: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly cache: CredentialCache,
  ) {}

  /** A use stays in Redis for a run longer: whoever has read PostgreSQL before it was noted finds it there. */
  async run(): Promise<void> {
    const uses = await this.cache.allUses();
    if (uses.size > 0) await this.apiKeys.noteUses(uses);
    await this.cache.deleteUses(this.#noted);
    this.#noted = uses;
  }
}
