import { Injectable } from '@nestjs/common';
import { CredentialCache } from '@vaultsvc/limits';
import { ApiKeyRepository } from './api-key.repository.js';

/** Copies the times of last use from Redis to PostgreSQL, so that requests never write rows (KEY-14). */
@Injectable()
export class FlushKeyUses {
  readonly everySeconds = 60;
  /** The uses that the last run wrote to PostgreSQL. */
  #noted: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly cache: CredentialCache,
  ) {}

  /** Uses stay in Redis for one more run: a list that read PostgreSQL before the write still finds them there. */
  async run(): Promise<void> {
    const uses = await this.cache.allUses();
    if (uses.size > 0) await this.apiKeys.noteUses(uses);
    await this.cache.deleteUses(this.#noted);
    this.#noted = uses;
  }
}
