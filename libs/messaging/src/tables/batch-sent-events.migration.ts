import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sent events leave the outbox and are kept as one row for each batch: marking, indexing and deleting each of them took more
 * than half of what PostgreSQL wrote for an event.
 */
export class BatchSentEvents1765400000000 implements MigrationInterface {
  readonly name = 'BatchSentEvents1765400000000';

  /** Events that were sent lately are sent once more; their consumers know their ids. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX outbox_unsent`);
    await runner.query(`ALTER TABLE outbox DROP COLUMN sent_at`);
    await runner.query(`
      CREATE TABLE sent_batches (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        events json NOT NULL,
        occurred_at timestamptz NOT NULL,
        sent_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`COMMENT ON COLUMN sent_batches.events IS 'rows of the outbox'`);
    await runner.query(`COMMENT ON COLUMN sent_batches.occurred_at IS 'the time of the oldest event'`);
    await runner.query(`
      CREATE VIEW recorded_events AS
        SELECT seq, id, name, account_id, request_id, payload, occurred_at FROM outbox
        UNION ALL
        SELECT e.* FROM sent_batches,
          json_to_recordset(events) AS e (seq bigint, id uuid, name text, account_id text, request_id text,
                                          payload jsonb, occurred_at timestamptz)`);
    await runner.query(
      `COMMENT ON VIEW recorded_events IS 'events that are not sent, or not yet confirmed by all of their consumers'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW recorded_events`);
    await runner.query(`DROP TABLE sent_batches`);
    await runner.query(`ALTER TABLE outbox ADD COLUMN sent_at timestamptz`);
    await runner.query(`CREATE INDEX outbox_unsent ON outbox (seq) WHERE sent_at IS NULL`);
  }
}
