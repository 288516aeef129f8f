import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The usage ledger and, per account, its sums, by which requests are admitted. */
export class CreateLedgerAndPools1764000000000 implements MigrationInterface {
  readonly name = 'CreateLedgerAndPools1764000000000';

  /**
   * The ledger is append-only and grows to hundreds of millions of rows. Its primary key ascends, and its one other B-tree
   * starts with the account. So an insert goes to the end of an index or next to the last row of the account; random ids
   * would touch a random page per row. A BRIN index finds a range of time with a few kilobytes.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger (
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
      )`);
    await runner.query(`CREATE INDEX ledger_of_account ON ledger (account_id, created_at, seq)`);
    await runner.query(`CREATE INDEX ledger_by_time ON ledger USING brin (created_at)`);
    // Updated with every batch of events: free space in the page allows HOT updates, which skip the index.
    await runner.query(`
      CREATE TABLE pools (
        account_id text PRIMARY KEY,
        plan text NOT NULL DEFAULT 'default',
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'none')),
        storage_used bigint NOT NULL,
        storage_limit bigint,
        bandwidth_used bigint NOT NULL,
        bandwidth_limit bigint,
        cycle_resets_at timestamptz NOT NULL DEFAULT now() + interval '720 hours',
        identity_used bigint NOT NULL,
        identity_limit bigint,
        version bigint NOT NULL DEFAULT 1
      ) WITH (fillfactor = 70)`);
    await runner.query(
      `COMMENT ON COLUMN pools.storage_limit IS 'null, as for the other limits: what the plan says'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE pools, ledger`);
  }
}
