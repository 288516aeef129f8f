import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The usage ledger and, per account, the sums of it that requests are decided by. */
export class CreateLedgerAndPools1764000000000 implements MigrationInterface {
  readonly name = 'CreateLedgerAndPools1764000000000';

  /**
   * The ledger only grows, to hundreds of millions of rows. Its key is the order of arrival, and its one other
   * index begins with the account, so that every insert goes to the end of an index or next to the account's
   * last one; a key of random ids would touch a page anywhere in the table for each row. A BRIN index finds a
   * span of time for a few kilobytes.
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
    // Updated with every batch of events: room in the page keeps those updates out of the index.
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
