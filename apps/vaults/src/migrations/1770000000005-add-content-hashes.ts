import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The hash of a version, sealed under its file key (ADR 44); null: forge of the previous release received a part of it. A
 * one-time link keeps its own copy, because the row of its version is deleted when the version is replaced.
 */
export class AddContentHashes1770000000005 implements MigrationInterface {
  readonly name = 'AddContentHashes1770000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ingot_versions ADD COLUMN sealed_hash bytea`);
    await runner.query(`ALTER TABLE link_keys ADD COLUMN sealed_hash bytea`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE link_keys DROP COLUMN sealed_hash`);
    await runner.query(`ALTER TABLE ingot_versions DROP COLUMN sealed_hash`);
  }
}
