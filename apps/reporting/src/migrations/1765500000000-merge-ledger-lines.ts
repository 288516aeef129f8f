import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row for what one event used of an account, storage and bandwidth together, instead of a row for each. The id of a line
 * is no longer stored: event and resource identify it. The primary key is the order in which an account's entries are read.
 */
export class MergeLedgerLines1765500000000 implements MigrationInterface {
  readonly name = 'MergeLedgerLines1765500000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE ledger RENAME TO ledger_lines_before`,
      ...createLedger,
      `INSERT INTO ledger (account_id, type, storage_bytes, bandwidth_bytes, reference_id, vault_id, actor_type, event_id, created_at)
       SELECT account_id, type, sum(quantity) FILTER (WHERE resource = 'storage'), sum(quantity) FILTER (WHERE resource = 'bandwidth'),
              reference_id, vault_id, actor_type, event_id, created_at
         FROM ledger_lines_before
        GROUP BY account_id, type, reference_id, vault_id, actor_type, event_id, created_at ORDER BY min(seq)`,
      `DROP TABLE ledger_lines_before`,
      `ALTER TABLE ledger ADD CONSTRAINT ledger_of_account PRIMARY KEY (account_id, created_at, seq)`,
      `CREATE INDEX ledger_by_time ON ledger USING brin (created_at)`,
    ])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...createLinesBefore,
      `INSERT INTO ledger_lines_before (transaction_id, account_id, type, resource, quantity, unit, reference_id, vault_id, actor_type, event_id, created_at)
       SELECT 'txn_' || substr(md5(event_id || resource), 1, 22), account_id, type, resource, quantity, 'bytes', reference_id, vault_id, actor_type, event_id, created_at
         FROM ledger_lines ORDER BY seq, resource DESC`,
      `DROP VIEW ledger_lines`,
      `DROP TABLE ledger`,
      `ALTER TABLE ledger_lines_before RENAME TO ledger`,
      `CREATE INDEX ledger_of_account ON ledger (account_id, created_at, seq)`,
      `CREATE INDEX ledger_by_time ON ledger USING brin (created_at)`,
    ])
      await runner.query(statement);
  }
}

const createLedger = [
  `CREATE TABLE ledger (
     seq bigint GENERATED ALWAYS AS IDENTITY,
     account_id text NOT NULL,
     type text NOT NULL,
     storage_bytes bigint,
     bandwidth_bytes bigint,
     reference_id text,
     vault_id text,
     actor_type text NOT NULL,
     aggregated boolean NOT NULL DEFAULT false,
     event_id uuid NOT NULL,
     created_at timestamptz NOT NULL,
     CONSTRAINT entry_has_quantity CHECK (storage_bytes IS NOT NULL OR bandwidth_bytes IS NOT NULL)
   )`,
  `CREATE VIEW ledger_lines AS
     SELECT seq, account_id, type, resource, quantity, 'bytes' AS unit, reference_id, vault_id, actor_type, aggregated, event_id, created_at
       FROM ledger, LATERAL (VALUES ('storage', storage_bytes), ('bandwidth', bandwidth_bytes)) AS line (resource, quantity)
      WHERE quantity IS NOT NULL`,
  `COMMENT ON VIEW ledger_lines IS 'the ledger with a line for each resource'`,
];

const createLinesBefore = [
  `CREATE TABLE ledger_lines_before (
     seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     transaction_id text NOT NULL,
     account_id text NOT NULL,
     type text NOT NULL,
     resource text NOT NULL CHECK (resource IN ('storage', 'bandwidth', 'operation')),
     quantity bigint NOT NULL,
     unit text NOT NULL CHECK (unit IN ('bytes', 'count')),
     reference_id text,
     vault_id text,
     actor_type text NOT NULL,
     aggregated boolean NOT NULL DEFAULT false,
     event_id uuid NOT NULL,
     created_at timestamptz NOT NULL
   )`,
];
