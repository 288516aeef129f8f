import { CREATE_HELD_SHARDS_SQL } from '@vaultsvc/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The shards of accounts that this database holds, and of a group those others that have Sparks of it (ADR 61). `joined_at`: the last
 * time that an account of another shard added a Spark.
 */
export class AddShards1770000000005 implements MigrationInterface {
  readonly name = 'AddShards1770000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE_HELD_SHARDS_SQL);
    await runner.query(
      `ALTER TABLE kindlings ADD COLUMN joined_shards integer[] NOT NULL DEFAULT '{}', ADD COLUMN joined_at timestamptz`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE kindlings DROP COLUMN joined_shards, DROP COLUMN joined_at`);
    await runner.query(`DROP TABLE held_shards`);
  }
}
