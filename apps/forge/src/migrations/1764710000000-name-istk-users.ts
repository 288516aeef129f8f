import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The user to whom an ISTK was issued; null for API keys, links, and ISTKs of vaults of the previous release. */
export class NameIstkUsers1764710000000 implements MigrationInterface {
  readonly name = 'NameIstkUsers1764710000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE istks ADD COLUMN user_id text COLLATE "C"`);
    await runner.query(`CREATE INDEX istks_of_user ON istks (user_id) WHERE user_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE istks DROP COLUMN user_id`);
  }
}
