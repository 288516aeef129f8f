import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The modification time that the owner of a file gives with its content; null: none. A one-time link keeps its own copy, because
 * the row of its version is deleted when the version is replaced.
 */
export class AddModificationTimes1770000000006 implements MigrationInterface {
  readonly name = 'AddModificationTimes1770000000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ingot_versions ADD COLUMN modified_at timestamptz`);
    await runner.query(`ALTER TABLE link_keys ADD COLUMN modified_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE link_keys DROP COLUMN modified_at`);
    await runner.query(`ALTER TABLE ingot_versions DROP COLUMN modified_at`);
  }
}
