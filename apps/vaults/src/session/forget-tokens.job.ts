import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';
import { Repeating } from '@vaultsvc/service';

const INTERVAL_MS = 60_000;
const BATCH_MAX = 500;

/** Days for which an expired token is told from an unknown one (OPEN-50). */
const REMEMBERED_DAYS = 30;

/** Wipes the wraps of expired Vault Access Tokens, and forgets the tokens after 30 days. Any number of copies may. */
@Injectable()
export class ForgetTokens implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #repeating = new Repeating('forget-tokens', async () => {
    await this.run();
    return INTERVAL_MS;
  });

  constructor(@Inject(Database) private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.#repeating.start(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#repeating.stop();
  }

  /** Works until nothing is due. */
  async run(): Promise<void> {
    for (const step of [wipeExpired, forgetExpired])
      while ((await this.database.query(step, [BATCH_MAX])).length === BATCH_MAX);
  }
}

const wipeExpired = statement(
  'vaults.wipe-expired-sessions',
  `UPDATE vault_sessions SET wrapped_key = NULL WHERE lookup IN (
     SELECT lookup FROM vault_sessions WHERE wrapped_key IS NOT NULL AND expires_at <= now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

const forgetExpired = statement(
  'vaults.forget-expired-sessions',
  `DELETE FROM vault_sessions WHERE lookup IN (
     SELECT lookup FROM vault_sessions WHERE expires_at <= now() - interval '${REMEMBERED_DAYS} days'
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
