import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts bandwidth by hour, with that of the last 31 days from the ledger. Instances of the previous release do not name the
 * column, so it has a default; the draws that they book during the rollout are missing from the chart and not from the pool.
 */
export class CountBandwidth1766700000000 implements MigrationInterface {
  readonly name = 'CountBandwidth1766700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE usage_by_hour ADD COLUMN bandwidth_bytes bigint NOT NULL DEFAULT 0`);
    await runner.query(bandwidthOfLedger);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE usage_by_hour DROP COLUMN bandwidth_bytes`);
  }
}

const bandwidthOfLedger = `
  INSERT INTO usage_by_hour (account_id, hour, operations, sparks_created, vaults_created, ingots_created, bandwidth_bytes)
  SELECT account_id, floor(extract(epoch FROM created_at) / 3600)::int, 0, 0, 0, 0, sum(bandwidth_bytes)
    FROM (SELECT * FROM ledger UNION ALL SELECT * FROM ledger_aggregated) entry
   WHERE bandwidth_bytes > 0 AND created_at > now() - interval '31 days'
   GROUP BY 1, 2
  ON CONFLICT (account_id, hour) DO UPDATE SET bandwidth_bytes = excluded.bandwidth_bytes`;
