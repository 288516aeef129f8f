import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sinks of the audit log. An append adds a row to `audit_batches` in its transaction; a job moves the committed rows to
 * `audit_feed`, where their order is final. Sinks follow the feed.
 */
export class CreateAuditSinks1770000000004 implements MigrationInterface {
  readonly name = 'CreateAuditSinks1770000000004';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of tables) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_sinks, audit_feed, audit_feed_end, audit_batches`);
  }
}

const tables = [
  `CREATE TABLE audit_batches (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     appended_at timestamptz NOT NULL DEFAULT now(),
     account_ids text[] NOT NULL,
     first_seqs bigint[] NOT NULL,
     last_seqs bigint[] NOT NULL
   )`,
  `COMMENT ON TABLE audit_batches IS 'entries that were appended by one statement, and are not in the feed yet'`,
  `CREATE TABLE audit_feed (
     position bigint PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     first_seq bigint NOT NULL,
     last_seq bigint NOT NULL,
     appended_at timestamptz NOT NULL
   )`,
  `COMMENT ON COLUMN audit_feed.position IS 'the number of entries that were ever in the feed, up to the last one of this row'`,
  `CREATE TABLE audit_feed_end (
     id boolean PRIMARY KEY DEFAULT true CHECK (id),
     position bigint NOT NULL DEFAULT 0
   )`,
  `COMMENT ON TABLE audit_feed_end IS 'one row; its lock lets one instance at a time extend the feed'`,
  `INSERT INTO audit_feed_end DEFAULT VALUES`,
  // Updated with every batch that is sent: free space in the page allows HOT updates.
  `CREATE TABLE audit_sinks (
     name text COLLATE "C" PRIMARY KEY,
     destination text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     created_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
     seen_at timestamptz NOT NULL DEFAULT now(),
     removed_at timestamptz,
     position bigint NOT NULL,
     history_account text COLLATE "C",
     history_seq bigint,
     batch_position bigint,
     lease_owner uuid,
     lease_until timestamptz,
     failures integer NOT NULL DEFAULT 0,
     retry_at timestamptz,
     last_success_at timestamptz,
     last_error text,
     last_error_at timestamptz,
     entries_sent bigint NOT NULL DEFAULT 0,
     CONSTRAINT history_is_a_place CHECK ((history_account IS NULL) = (history_seq IS NULL))
   ) WITH (fillfactor = 50)`,
  `COMMENT ON COLUMN audit_sinks.position IS 'the cursor: all rows of the feed up to this one were sent'`,
  `COMMENT ON COLUMN audit_sinks.history_account IS 'the cursor in the entries that are older than the sink; null: it does not send them, or has sent all'`,
  `COMMENT ON COLUMN audit_sinks.batch_position IS 'the end of the batch that was read from the feed last, so that a repetition sends the same one'`,
  `COMMENT ON COLUMN audit_sinks.seen_at IS 'when an instance was last running with this sink in its settings'`,
];
