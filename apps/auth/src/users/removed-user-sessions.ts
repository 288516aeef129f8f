import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';
import { SessionRecordWriter } from '../sessions/session-record-writer.js';

/** More than a user can have live (`SessionLimit`). */
const BATCH_MAX = 500;

/**
 * Ends the sessions of removed users. The removal itself makes all of them invalid, by the status of the user; what remains is
 * to replace their cached records and to mark their rows.
 */
@Injectable()
export class RemovedUserSessions {
  constructor(
    private readonly database: Database,
    private readonly records: SessionRecordWriter,
  ) {}

  /**
   * Ends the newest sessions of a removed user, so that they are refused from the next request on; the job ends older ones,
   * whose records expire within a minute. Changes nothing for another user, and may be repeated.
   * @throws RedisUnavailable; a repetition then replaces the records
   */
  async end(accountId: string, userId: string): Promise<void> {
    const rows = await this.database.query<{ id: string }>(findNewest, [accountId, userId, BATCH_MAX]);
    const ids = rows.map(({ id }) => id);
    await this.records.renew(ids);
    await this.database.query(endFamilies, [ids]);
  }

  /** Ends the sessions that removals have left, in batches. Any number of instances may run it. */
  async endPending(): Promise<void> {
    for (;;) {
      const [user] = await this.database.query<{ id: string }>(findPending);
      if (!user) return;
      await runInBatches(this.database, endOldest, [user.id]);
      await this.database.query(clearPending, [user.id]);
    }
  }
}

const findNewest = statement(
  'auth.find-newest-sessions-of-removed-user',
  `SELECT f.id FROM users u JOIN families f ON f.user_id = u.id AND f.revoked_at IS NULL
    WHERE u.account_id = $1 AND u.id = $2 AND u.status = 'removed'
    ORDER BY f.created_at DESC LIMIT $3`,
);

const END = `UPDATE families SET revoked_at = clock_timestamp(), version = version + 1`;

const endFamilies = statement(
  'auth.end-families',
  `${END} WHERE id = ANY($1::uuid[]) AND revoked_at IS NULL`,
);

const endOldest = statement(
  'auth.end-oldest-families-of-user',
  `${END} WHERE id IN (
     SELECT id FROM families WHERE user_id = $1 AND revoked_at IS NULL ORDER BY created_at LIMIT $2 FOR UPDATE)
   RETURNING id`,
);

const findPending = statement(
  'auth.find-user-with-ending-sessions',
  `SELECT id FROM users WHERE sessions_end_after <= now() ORDER BY sessions_end_after LIMIT 1`,
);

const clearPending = statement(
  'auth.clear-ending-sessions',
  `UPDATE users SET sessions_end_after = NULL
    WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM families WHERE user_id = $1 AND revoked_at IS NULL)`,
);
