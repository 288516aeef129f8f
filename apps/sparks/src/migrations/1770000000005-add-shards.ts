import { CREATE_CLAIMED_SHARD_SQL } from '@vaultsvc/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The shard of accounts of this database, which is the first one if there are Sparks already, and of a kindling the other shards with Sparks
 * of it (ADR 61). `joined_at`: about the last time that an account of another shard added one.
 */
export class AddShards1770000000005 implements MigrationInterface {
  readonly name = 'AddShards1770000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE_CLAIMED_SHARD_SQL);
    await runner.query(
      `INSERT INTO claimed_shard (shard)
       SELECT 0 WHERE EXISTS (SELECT FROM sparks) OR EXISTS (SELECT FROM kindlings) OR EXISTS (SELECT FROM sparklinks)`,
    );
    await runner.query(
      `ALTER TABLE kindlings ADD COLUMN joined_shards integer[] NOT NULL DEFAULT '{}', ADD COLUMN joined_at timestamptz`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE kindlings DROP COLUMN joined_shards, DROP COLUMN joined_at`);
    await runner.query(`DROP TABLE claimed_shard`);
  }
}
