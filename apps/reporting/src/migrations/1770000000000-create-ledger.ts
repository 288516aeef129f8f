import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The usage ledger of each account with its summaries, and the counters that analytics read. */
export class CreateLedger1770000000000 implements MigrationInterface {
  readonly name = 'CreateLedger1770000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...ledger, ...summaries, ...usage]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW ledger_lines`);
    await runner.query(`DROP TABLE usage_totals, usage_by_hour, ledger_summaries, ledger_aggregated, ledger`);
  }
}

/**
 * One row for what one event used of an account; an entry without bytes is one operation. The ledger is append-only and grows to
 * hundreds of millions of rows. Account, event and source identify an entry, and PostgreSQL refuses a second one. The ids of
 * events are in time order (UUID version 7), so the primary key grows at its end and is the order in which an account's entries
 * are read. Entries that summaries contain move to `ledger_aggregated`, so that a list without them, and the search for old
 * entries, never reads the history.
 */
const ledger = [
  `CREATE TABLE ledger (
     account_id text NOT NULL,
     type text NOT NULL,
     storage_bytes bigint,
     bandwidth_bytes bigint,
     reference_id text,
     vault_id text,
     actor_type text NOT NULL,
     event_id uuid NOT NULL,
     created_at timestamptz NOT NULL,
     source text COLLATE "C" NOT NULL DEFAULT '',
     PRIMARY KEY (account_id, event_id, source)
   )`,
  `CREATE TABLE ledger_aggregated (LIKE ledger INCLUDING ALL)`,
  `CREATE VIEW ledger_lines AS
     SELECT aggregated, account_id, source, event_id, type, resource, quantity, unit, reference_id, vault_id, actor_type, created_at
       FROM (SELECT *, false AS aggregated FROM ledger UNION ALL SELECT *, true FROM ledger_aggregated) entry, LATERAL (VALUES
         ('storage', storage_bytes, 'bytes'),
         ('bandwidth', bandwidth_bytes, 'bytes'),
         ('operation', CASE WHEN storage_bytes IS NULL AND bandwidth_bytes IS NULL THEN 1 END, 'count')
       ) AS line (resource, quantity, unit)
      WHERE quantity IS NOT NULL`,
  `COMMENT ON VIEW ledger_lines IS 'the ledger with a line for each resource, rolled up or not; without summaries'`,
];

/** Summaries of an account's ledger by type and UTC day. */
const summaries = [
  `CREATE TABLE ledger_summaries (
     account_id text NOT NULL,
     summary_id uuid NOT NULL,
     type text NOT NULL,
     storage_bytes bigint,
     bandwidth_bytes bigint,
     operations bigint,
     created_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, summary_id)
   )`,
  `COMMENT ON COLUMN ledger_summaries.summary_id IS 'a UUID with the start of the day as its time, so that lists order summaries and entries by id'`,
];

/**
 * Counters of each account by hour of occurrence, and since the account exists. Events may be applied out of order, so a total
 * can be negative for a moment; analytics show 0 instead. Both are updated with every batch of events: free space in the page
 * allows HOT updates, which skip the index.
 */
const usage = [
  `CREATE TABLE usage_by_hour (
     account_id text COLLATE "C" NOT NULL,
     hour integer NOT NULL,
     operations bigint NOT NULL,
     sparks_created bigint NOT NULL,
     vaults_created bigint NOT NULL,
     ingots_created bigint NOT NULL,
     bandwidth_bytes bigint NOT NULL DEFAULT 0,
     PRIMARY KEY (account_id, hour)
   ) WITH (fillfactor = 70)`,
  `COMMENT ON COLUMN usage_by_hour.hour IS 'hours since the Unix epoch, so whole hours of UTC'`,
  `CREATE TABLE usage_totals (
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
   ) WITH (fillfactor = 70)`,
];
