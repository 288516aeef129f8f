import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Account, event and source identify an entry, and PostgreSQL refuses a second one. The ids of events are in time order (UUID
 * version 7), so the primary key still grows at its end and is the order in which an account's entries are read. It replaces
 * the column `seq`. Nothing reads the entries of all accounts by time, so the BRIN index is gone.
 */
export class IdentifyLedgerEntries1766200000000 implements MigrationInterface {
  readonly name = 'IdentifyLedgerEntries1766200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP VIEW ledger_lines`,
      // An instance of the previous release does not name the source.
      `ALTER TABLE ledger ADD COLUMN source text COLLATE "C" NOT NULL DEFAULT ''`,
      `UPDATE ledger SET source = CASE
         WHEN type LIKE 'spark\\_%' OR type = 'entropy_generate' THEN 'sparks'
         WHEN bandwidth_bytes IS NOT NULL AND type LIKE 'ingot\\_%' THEN 'forge'
         ELSE 'vaults' END`,
      `ALTER TABLE ledger DROP CONSTRAINT ledger_of_account, DROP COLUMN seq, DROP COLUMN aggregated,
         DROP CONSTRAINT entry_has_quantity, ADD PRIMARY KEY (account_id, event_id, source)`,
      `DROP INDEX ledger_by_time`,
      LINES,
      `COMMENT ON VIEW ledger_lines IS 'the ledger with a line for each resource'`,
    ])
      await runner.query(statement);
  }

  /** Entries of operations are lost: the previous release has no place for them. */
  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP VIEW ledger_lines`,
      `DELETE FROM ledger WHERE storage_bytes IS NULL AND bandwidth_bytes IS NULL`,
      `ALTER TABLE ledger DROP CONSTRAINT ledger_pkey, DROP COLUMN source,
         ADD COLUMN seq bigint GENERATED ALWAYS AS IDENTITY, ADD COLUMN aggregated boolean NOT NULL DEFAULT false,
         ADD CONSTRAINT entry_has_quantity CHECK (storage_bytes IS NOT NULL OR bandwidth_bytes IS NOT NULL),
         ADD CONSTRAINT ledger_of_account PRIMARY KEY (account_id, created_at, seq)`,
      `CREATE INDEX ledger_by_time ON ledger USING brin (created_at)`,
      LINES_BEFORE,
      `COMMENT ON VIEW ledger_lines IS 'the ledger with a line for each resource'`,
    ])
      await runner.query(statement);
  }
}

/** An entry without bytes is one operation. */
const LINES = `
  CREATE VIEW ledger_lines AS
    SELECT account_id, source, event_id, type, resource, quantity, unit, reference_id, vault_id, actor_type, created_at
      FROM ledger, LATERAL (VALUES
        ('storage', storage_bytes, 'bytes'),
        ('bandwidth', bandwidth_bytes, 'bytes'),
        ('operation', CASE WHEN storage_bytes IS NULL AND bandwidth_bytes IS NULL THEN 1 END, 'count')
      ) AS line (resource, quantity, unit)
     WHERE quantity IS NOT NULL`;

const LINES_BEFORE = `
  CREATE VIEW ledger_lines AS
    SELECT seq, account_id, type, resource, quantity, 'bytes' AS unit, reference_id, vault_id, actor_type, aggregated, event_id, created_at
      FROM ledger, LATERAL (VALUES ('storage', storage_bytes), ('bandwidth', bandwidth_bytes)) AS line (resource, quantity)
     WHERE quantity IS NOT NULL`;
