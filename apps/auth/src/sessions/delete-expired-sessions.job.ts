import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';

/**
 * Deletes session families 30 days after their end or expiry, identities without a user 90 days after their last sign-in, and
 * hashes of ID tokens that have expired. Any number of instances may run it.
 */
@Injectable()
export class DeleteExpiredSessions {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    for (const forget of [forgetFamilies, forgetIdentities, forgetIdTokens])
      await runInBatches(this.database, forget);
  }
}

// least() ignores NULL: the expiry counts for a family that was never ended.
const forgetFamilies = statement(
  'auth.forget-families',
  `DELETE FROM families WHERE id IN (
     SELECT id FROM families WHERE least(expires_at, revoked_at) <= now() - interval '30 days'
      ORDER BY least(expires_at, revoked_at) LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

// An identity with a live identity-only session may still complete its sign-up.
const forgetIdentities = statement(
  'auth.forget-identities',
  `DELETE FROM identities WHERE id IN (
     SELECT i.id FROM identities i
      WHERE i.user_id IS NULL AND i.seen_at <= now() - interval '90 days'
        AND NOT EXISTS (SELECT 1 FROM families f
                         WHERE f.identity_id = i.id AND f.revoked_at IS NULL AND f.expires_at > now())
      ORDER BY i.seen_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

const forgetIdTokens = statement(
  'auth.forget-id-tokens',
  `DELETE FROM used_id_tokens WHERE hash IN (
     SELECT hash FROM used_id_tokens WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);
