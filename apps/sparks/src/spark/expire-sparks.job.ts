import { Injectable } from '@nestjs/common';
import { sparkExpired } from '@vaultsvc/contracts/sparks';
import { Database, runInBatches, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { EXPIRED_LISTED_HOURS } from './spark-list.repository.js';

const BATCH_MAX = 500;

/** Days after its expiry for which a Spark is remembered: its id answers 403 and not 404 (OPEN-50). */
const REMEMBERED_DAYS = 30;

/**
 * Takes Sparks through the stages after their expiry: an unread one is wiped at once and stays listed for a day; then,
 * as a burned one at its expiry, it moves to the spent ones; those are forgotten after 30 days. Reads never wait for
 * this job: they compare `expires_at` themselves.
 */
@Injectable()
export class ExpireSparks {
  readonly everySeconds = 5;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Works until nothing is due; any number of copies may do so at once. */
  async run(): Promise<void> {
    // Not "until a batch is short": what is long overdue goes through more than one stage.
    while ((await this.#advance()) > 0);
    await runInBatches(this.database, forgetSpent);
  }

  async #advance(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(advanceDue, [BATCH_MAX]);
    this.outbox.wake();
    return row?.count ?? 0;
  }
}

/**
 * One batch of due Sparks. A wipe ends a read that is under way: its token is gone, so its burn finds nothing, and
 * storage is released once.
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
   told AS (
     INSERT INTO outbox (name, account_id, payload)
     SELECT '${sparkExpired.name}', account_id, jsonb_build_object('spark_id', id, 'account_id', account_id, 'size_bytes', size_bytes)
       FROM wiped),
   unlisted AS (
     DELETE FROM sparks s USING due WHERE s.id = due.id AND NOT due.has_content
     RETURNING s.id, s.account_id, s.kindling, s.status, s.expires_at),
   unlinked AS (DELETE FROM sparklinks WHERE asset_id IN (SELECT id FROM unlisted)),
   spent AS (
     INSERT INTO spent_sparks (id, account_id, has_kindling, is_burned, expires_at)
     SELECT id, account_id, kindling IS NOT NULL, status = 'ash', expires_at FROM unlisted)
   SELECT count(*) AS count FROM due`,
);

const forgetSpent = statement(
  'sparks.forget-spent',
  `WITH old AS (
     SELECT id FROM spent_sparks WHERE expires_at <= now() - interval '${REMEMBERED_DAYS} days'
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   DELETE FROM spent_sparks s USING old WHERE s.id = old.id RETURNING s.id`,
);
