import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts each account's messages per hour. The key starts with the hour, by which the counts are purged. */
export class CountMessages1764540000000 implements MigrationInterface {
  readonly name = 'CountMessages1764540000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE message_counts (
         hour timestamptz NOT NULL,
         account_id text COLLATE "C" NOT NULL,
         channel text NOT NULL CHECK (channel IN ('email', 'phone')),
         count integer NOT NULL CHECK (count > 0),
         PRIMARY KEY (hour, account_id, channel)
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE message_counts`);
  }
}
