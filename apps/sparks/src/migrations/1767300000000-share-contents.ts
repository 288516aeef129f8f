import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds contents that the Sparks of a send share (ADR 38). Instances of the previous release work on: they cannot open a Spark
 * with `content_id`, because they know neither the format nor the label of its wrapped key, and release it unread.
 */
export class ShareContents1767300000000 implements MigrationInterface {
  readonly name = 'ShareContents1767300000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of sharedContents) await runner.query(text);
    await runner.query(`ALTER TABLE sparks ADD COLUMN content_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sparks DROP COLUMN content_id`);
    await runner.query(`DROP TABLE shared_contents`);
  }
}

/** `remaining`: the unread Sparks that open the content. The last one takes the ciphertext with it. */
const sharedContents = [
  `CREATE TABLE shared_contents (
     id uuid PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     group_id uuid NOT NULL,
     ciphertext bytea,
     remaining integer NOT NULL CHECK (remaining >= 0),
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL,
     CONSTRAINT nobody_left_holds_nothing CHECK ((remaining = 0) = (ciphertext IS NULL))
   )`,
  // Ciphertext does not compress, as in `sparks`.
  `ALTER TABLE shared_contents ALTER COLUMN ciphertext SET STORAGE EXTERNAL`,
  `CREATE INDEX shared_contents_by_expiry ON shared_contents (expires_at)`,
];
