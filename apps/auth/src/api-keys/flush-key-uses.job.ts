import { Inject, Injectable } from '@nestjs/common';
import { CredentialCache } from '@vaultsvc/limits';
import { ApiKeyRepository } from './api-key.repository.js';

/** Moves the times of last use from Redis to PostgreSQL, so that requests never write rows (KEY-14). */
@Injectable()
export class FlushKeyUses {
  readonly everySeconds = 60;
  /** Taken out of Redis and not yet in PostgreSQL. */
  readonly #waiting = new Map<string, number>();

  constructor(
    @Inject(ApiKeyRepository) private readonly apiKeys: ApiKeyRepository,
    @Inject(CredentialCache) private readonly cache: CredentialCache,
  ) {}

  async run(): Promise<void> {
    for (const [id, at] of await this.cache.drainUsed()) this.#waiting.set(id, at);
    if (this.#waiting.size === 0) return;
    const uses = new Map(this.#waiting);
    await this.apiKeys.noteUses(uses);
    for (const [id, at] of uses) if (this.#waiting.get(id) === at) this.#waiting.delete(id);
  }
}
