import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Reserves the whole answer of a download at its start. A row of `downloads` is a running download: `bytes` of its answer,
 * of which `bytes_moved` are counted in the row of its ISTK, and a lease that heartbeats renew. `istks.bytes_reserved` is
 * the sum of the bytes that running downloads have not counted yet. `renewed_at` has no index: the table holds running
 * downloads only, and each renewal would have to update it.
 *
 * Instances of the previous release ignore the reservations. Until they have stopped, a byte cap may be exceeded.
 */
export class ReserveDownloads1764700000000 implements MigrationInterface {
  readonly name = 'ReserveDownloads1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of statements) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE downloads`);
    await runner.query(`ALTER TABLE istks DROP COLUMN bytes_reserved`);
  }
}

const statements = [
  `ALTER TABLE istks ADD COLUMN bytes_reserved bigint NOT NULL DEFAULT 0`,
  `CREATE TABLE downloads (
     download_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     lookup bytea NOT NULL REFERENCES istks ON DELETE CASCADE,
     bytes bigint NOT NULL,
     bytes_moved bigint NOT NULL,
     renewed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT moved_within_answer CHECK (bytes_moved <= bytes)
   ) WITH (fillfactor = 80)`,
  `CREATE INDEX downloads_of_istk ON downloads (lookup)`,
];
