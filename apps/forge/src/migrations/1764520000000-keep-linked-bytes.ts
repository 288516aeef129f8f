import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps replaced versions for one-time links, which have no ISTK until they are opened. */
export class KeepLinkedBytes1764520000000 implements MigrationInterface {
  readonly name = 'KeepLinkedBytes1764520000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE uploads ADD COLUMN kept_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE uploads DROP COLUMN kept_until`);
  }
}
