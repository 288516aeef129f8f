import { CREATE_CLAIMED_SHARD_SQL } from '@vaultsvc/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The shard of accounts of this database, which is the first one if there are accounts already (ADR 63). */
export class AddShard1770000000012 implements MigrationInterface {
  readonly name = 'AddShard1770000000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE_CLAIMED_SHARD_SQL);
    await runner.query(
      `INSERT INTO claimed_shard (shard) SELECT 0 WHERE EXISTS (SELECT FROM audit_heads) OR EXISTS (SELECT FROM pools)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE claimed_shard`);
  }
}
