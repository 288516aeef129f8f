import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counters of each account, which analytics read: by hour of occurrence, and since the account exists. */
export class CountUsage1766210000000 implements MigrationInterface {
  readonly name = 'CountUsage1766210000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [hours, hourComment, totals, hoursOfLedger, totalsOfLedger])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE usage_totals, usage_by_hour`);
  }
}

// Updated with every batch of events: free space in the page allows HOT updates, which skip the index.
const hours = `
  CREATE TABLE usage_by_hour (
    account_id text COLLATE "C" NOT NULL,
    hour integer NOT NULL,
    operations bigint NOT NULL,
    sparks_created bigint NOT NULL,
    vaults_created bigint NOT NULL,
    ingots_created bigint NOT NULL,
    PRIMARY KEY (account_id, hour)
  ) WITH (fillfactor = 70)`;
const hourComment = `COMMENT ON COLUMN usage_by_hour.hour IS 'hours since the Unix epoch, so whole hours of UTC'`;

/** Events may be applied out of order, so a figure can be negative for a moment. Analytics show 0 instead. */
const totals = `
  CREATE TABLE usage_totals (
    account_id text COLLATE "C" PRIMARY KEY,
    sparks_created bigint NOT NULL,
    sparks_burned bigint NOT NULL,
    sparks_deleted bigint NOT NULL,
    sparks_expired bigint NOT NULL,
    vaults_created bigint NOT NULL,
    vaults_deleted bigint NOT NULL,
    ingots bigint NOT NULL,
    ingot_bytes bigint NOT NULL,
    downloads bigint NOT NULL,
    transferred_bytes bigint NOT NULL
  ) WITH (fillfactor = 70)`;

// What the ledger of the previous release knows: it has no vaults, no downloads, and structured ingots by their bytes only.
const OPERATION = `actor_type <> 'system' AND NOT (type = 'spark_read' AND bandwidth_bytes IS NULL)`;
const hoursOfLedger = `
  INSERT INTO usage_by_hour
  SELECT account_id, floor(extract(epoch FROM created_at) / 3600)::int, count(*) FILTER (WHERE ${OPERATION}),
         count(*) FILTER (WHERE type = 'spark_create'), 0, 0
    FROM ledger GROUP BY 1, 2`;
const totalsOfLedger = `
  INSERT INTO usage_totals
  SELECT account_id, count(*) FILTER (WHERE type = 'spark_create'),
         count(*) FILTER (WHERE type = 'spark_read' AND storage_bytes IS NOT NULL),
         count(*) FILTER (WHERE type = 'spark_delete'), count(*) FILTER (WHERE type = 'spark_expire'), 0, 0,
         coalesce(sum(CASE WHEN type = 'ingot_upload' THEN 1 WHEN type IN ('ingot_delete', 'ingot_replace') THEN -1 END)
           FILTER (WHERE storage_bytes IS NOT NULL), 0),
         coalesce(sum(storage_bytes) FILTER (WHERE vault_id IS NOT NULL), 0), 0,
         coalesce(sum(bandwidth_bytes) FILTER (WHERE source = 'forge'), 0)
    FROM ledger GROUP BY 1`;
