import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A bounded number of live sessions, ID tokens that are accepted once, and removals that end sessions in batches. */
export class BoundSessions1765200000000 implements MigrationInterface {
  readonly name = 'BoundSessions1765200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...indexes, surplus, ...removals, ...tokens]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const text of former) await runner.query(text);
  }
}

/** Ended sessions stay for 30 days: without the condition, a sign-in would read all of them to find the oldest live one. */
const indexes = [
  `DROP INDEX families_by_user, families_by_identity`,
  `CREATE INDEX families_live_by_user ON families (user_id, created_at) WHERE revoked_at IS NULL AND user_id IS NOT NULL`,
  `CREATE INDEX families_live_by_identity ON families (identity_id, created_at)
    WHERE revoked_at IS NULL AND identity_id IS NOT NULL`,
];

/** Ends all but the newest 100 live sessions of each user and identity. */
const surplus = `
  UPDATE families SET revoked_at = now(), version = version + 1 WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY coalesce(user_id, identity_id) ORDER BY created_at DESC, id DESC) AS place
        FROM families WHERE revoked_at IS NULL AND expires_at > now()) AS live
     WHERE place > 100)`;

/** When a job ends the sessions that the removal of a user has left; null if there are none. */
const removals = [
  `ALTER TABLE users ADD COLUMN sessions_end_after timestamptz`,
  `CREATE INDEX users_by_end_of_sessions ON users (sessions_end_after) WHERE sessions_end_after IS NOT NULL`,
];

/** Hashes of the ID tokens that signed in, until they expire. */
const tokens = [
  `CREATE TABLE used_id_tokens (
     hash bytea PRIMARY KEY CHECK (length(hash) = 32),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX used_id_tokens_by_expiry ON used_id_tokens (expires_at)`,
];

const former = [
  `DROP TABLE used_id_tokens`,
  `ALTER TABLE users DROP COLUMN sessions_end_after`,
  `DROP INDEX families_live_by_user, families_live_by_identity`,
  `CREATE INDEX families_by_identity ON families (identity_id) WHERE identity_id IS NOT NULL`,
  `CREATE INDEX families_by_user ON families (user_id)`,
];
