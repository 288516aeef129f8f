import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CredentialCache } from '@vaultsvc/limits';
import { Repeating } from '@vaultsvc/service';
import { ApiKeyRepository } from './api-key.repository.js';

const INTERVAL_MS = 60_000;

/** Moves the times of last use from Redis to PostgreSQL, so that requests never write rows (KEY-14). */
@Injectable()
export class FlushKeyUses implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #repeating = new Repeating('flush-key-uses', async () => {
    await this.flush();
    return INTERVAL_MS;
  });
  /** Taken out of Redis and not yet in PostgreSQL. */
  readonly #waiting = new Map<string, number>();

  constructor(
    @Inject(ApiKeyRepository) private readonly apiKeys: ApiKeyRepository,
    @Inject(CredentialCache) private readonly cache: CredentialCache,
  ) {}

  onApplicationBootstrap(): void {
    this.#repeating.start(INTERVAL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#repeating.stop();
  }

  async flush(): Promise<void> {
    for (const [id, at] of await this.cache.drainUsed()) this.#waiting.set(id, at);
    if (this.#waiting.size === 0) return;
    const uses = new Map(this.#waiting);
    await this.apiKeys.noteUses(uses);
    for (const [id, at] of uses) if (this.#waiting.get(id) === at) this.#waiting.delete(id);
  }
}
