import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Summaries of an account's ledger by type and UTC day, and the entries that they contain. Those move out of `ledger`, so that
 * a list without them, and the search for old entries, never reads the history.
 */
export class RollUpLedger1766220000000 implements MigrationInterface {
  readonly name = 'RollUpLedger1766220000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      summaries,
      `COMMENT ON COLUMN ledger_summaries.summary_id IS 'a UUID with the start of the day as its time, so that lists order summaries and entries by id'`,
      aggregated,
      `DROP VIEW ledger_lines`,
      linesOf(
        `(SELECT *, false AS aggregated FROM ledger UNION ALL SELECT *, true FROM ledger_aggregated) entry`,
      ),
      `COMMENT ON VIEW ledger_lines IS 'the ledger with a line for each resource, rolled up or not; without summaries'`,
    ])
      await runner.query(statement);
  }

  /** Entries move back; the previous release has no summaries. */
  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP VIEW ledger_lines`,
      `INSERT INTO ledger (${COLUMNS}) SELECT ${COLUMNS} FROM ledger_aggregated`,
      `DROP TABLE ledger_aggregated, ledger_summaries`,
      linesOf(`(SELECT * FROM ledger) entry`),
      `COMMENT ON VIEW ledger_lines IS 'the ledger with a line for each resource'`,
    ])
      await runner.query(statement);
  }
}

/** The columns of `ledger` in its order. */
const COLUMNS = `account_id, type, storage_bytes, bandwidth_bytes, reference_id, vault_id, actor_type, event_id, created_at, source`;

const summaries = `
  CREATE TABLE ledger_summaries (
    account_id text NOT NULL,
    summary_id uuid NOT NULL,
    type text NOT NULL,
    storage_bytes bigint,
    bandwidth_bytes bigint,
    operations bigint,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, summary_id)
  )`;

const aggregated = `CREATE TABLE ledger_aggregated (LIKE ledger INCLUDING ALL)`;

/** An entry without bytes is one operation. */
const linesOf = (entries: string) => `
  CREATE VIEW ledger_lines AS
    SELECT ${entries.includes('aggregated') ? 'aggregated, ' : ''}account_id, source, event_id, type, resource, quantity, unit, reference_id, vault_id, actor_type, created_at
      FROM ${entries}, LATERAL (VALUES
        ('storage', storage_bytes, 'bytes'),
        ('bandwidth', bandwidth_bytes, 'bytes'),
        ('operation', CASE WHEN storage_bytes IS NULL AND bandwidth_bytes IS NULL THEN 1 END, 'count')
      ) AS line (resource, quantity, unit)
     WHERE quantity IS NOT NULL`;
