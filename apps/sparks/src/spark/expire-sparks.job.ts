import { Injectable } from '@nestjs/common';
import { sparkExpired } from '@vaultsvc/contracts/sparks';
import { Database, statement } from '@vaultsvc/database';
import { SharedContentRepository } from './sealing/shared-content.repository.js';
import { EXPIRED_LISTED_HOURS } from './spark-list.repository.js';
import { SPARK_MEMBERS } from './burning/spark-sql.js';

const BATCH_MAX = 500;

/**
 * Moves Sparks through the stages after their expiry. An unread one is wiped at once and stays listed for a day. Then, or
 * at the expiry of a burned one, a tombstone in `spent_sparks` replaces it (SPK-51). Reads do not depend on this job: they
 * compare `expires_at` themselves. The content that Sparks of a send share is deleted at its expiry, too.
 */
@Injectable()
export class ExpireSparks {
  readonly everySeconds = 5;

  constructor(
    private readonly database: Database,
    private readonly contents: SharedContentRepository,
  ) {}

  /** Runs until no row is due. Instances may run it concurrently. */
  async run(): Promise<void> {
    // Not until a short batch: a long overdue Spark passes more than one stage.
    while ((await this.#advance()) > 0);
    await this.contents.purgeExpired();
  }

  async #advance(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(advanceDue, [BATCH_MAX]);
    return row?.count ?? 0;
  }
}

/**
 * One batch of due Sparks. A wipe clears the lock token, so the burn of a concurrent read finds no row and storage is
 * released once.
 */
export const advanceDue = statement(
  'sparks.advance-due',
  `WITH due AS (
     SELECT id, wrapped_dek IS NOT NULL AS has_content FROM sparks
      WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
   wiped AS (
     UPDATE sparks s
        SET status = 'active', lock_token = NULL, locked_at = NULL, wrapped_dek = NULL, ciphertext = NULL,
            due_at = s.expires_at + interval '${EXPIRED_LISTED_HOURS} hours'
       FROM due WHERE s.id = due.id AND due.has_content
     RETURNING s.id, s.account_id, s.size_bytes),
   event AS (
     INSERT INTO outbox (name, account_id, payload)
     SELECT '${sparkExpired.name}', account_id, jsonb_build_object(${SPARK_MEMBERS})
       FROM wiped),
   unlisted AS (
     DELETE FROM sparks s USING due WHERE s.id = due.id AND NOT due.has_content
     RETURNING s.id, s.account_id, s.kindling, s.status, s.expires_at),
   unlinked AS (DELETE FROM sparklinks WHERE asset_id IN (SELECT id FROM unlisted)),
   tombstone AS (
     INSERT INTO spent_sparks (id, account_id, has_kindling, is_burned, expires_at)
     SELECT id, account_id, kindling IS NOT NULL, status = 'ash', expires_at FROM unlisted)
   SELECT count(*) AS count FROM due`,
);
