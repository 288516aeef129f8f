import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';

/** Deletes expired one-time codes, tokens and challenges, the identities that requested them, and the counts of codes. */
@Injectable()
export class PurgeVerifications {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeVerifications);
    await runInBatches(this.database, purgeCodeBudgets);
    await runInBatches(this.database, purgeChallenges);
  }
}

const purgeVerifications = statement(
  'sparks.purge-verifications',
  `DELETE FROM verifications WHERE id IN (
     SELECT id FROM verifications
      WHERE expires_at <= now() AND (token_expires_at IS NULL OR token_expires_at <= now())
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

const purgeCodeBudgets = statement(
  'sparks.purge-code-budgets',
  `DELETE FROM code_budgets WHERE (link_id, subject) IN (
     SELECT link_id, subject FROM code_budgets WHERE expires_at <= now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

const purgeChallenges = statement(
  'sparks.purge-passkey-challenges',
  `DELETE FROM passkey_challenges WHERE lookup IN (
     SELECT lookup FROM passkey_challenges WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);
