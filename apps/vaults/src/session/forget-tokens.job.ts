import { Inject, Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

const BATCH_MAX = 500;

/** Days for which an expired token is told from an unknown one (OPEN-50). */
const REMEMBERED_DAYS = 30;

/** Wipes the wraps of expired Vault Access Tokens, and forgets the tokens after 30 days. Any number of copies may. */
@Injectable()
export class ForgetTokens {
  readonly everySeconds = 60;

  constructor(@Inject(Database) private readonly database: Database) {}

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
