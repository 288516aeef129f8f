import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Hashes of chunks and of versions, sealed under the file key (ADR 44). null: received by an instance of the previous
 * release; a version with such a chunk has no hash.
 */
export class AddContentHashes1770000000001 implements MigrationInterface {
  readonly name = 'AddContentHashes1770000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chunks ADD COLUMN sealed_hash bytea`);
    await runner.query(`ALTER TABLE uploads ADD COLUMN sealed_hash bytea`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE uploads DROP COLUMN sealed_hash`);
    await runner.query(`ALTER TABLE chunks DROP COLUMN sealed_hash`);
  }
}
