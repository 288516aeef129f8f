import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The id of a new event is a UUID of version 7 (RFC 9562): it begins with the time, so that the index of processed events
 * grows at its end. With random ids each insert touches, and after a checkpoint logs, another page.
 */
const TIME_ORDERED_ID = `encode(set_byte(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
  6, 112 + floor(random() * 16)::int), 'hex')::uuid`;

/**
 * Sent events leave the outbox and are kept as one row for each batch: marking, indexing and deleting each of them took more
 * than half of what PostgreSQL wrote for an event (ADR 27).
 */
export class BatchSentEvents1765400000000 implements MigrationInterface {
  readonly name = 'BatchSentEvents1765400000000';

  /** Events that were sent lately are sent once more; their consumers know their ids. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX outbox_unsent`);
    await runner.query(
      `ALTER TABLE outbox DROP COLUMN sent_at, ALTER COLUMN id SET DEFAULT ${TIME_ORDERED_ID}`,
    );
    // An event has one source and thereby one consumer of a service.
    await runner.query(
      `ALTER TABLE processed DROP CONSTRAINT processed_pkey, DROP COLUMN consumer, ADD PRIMARY KEY (event_id)`,
    );
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
        SELECT e.seq, e.id, e.name, e.account_id, e.request_id, e.payload, to_timestamp(e.occurred_at_ms / 1000.0)
          FROM sent_batches,
          json_to_recordset(events) AS e (seq bigint, id uuid, name text, account_id text, request_id text,
                                          payload jsonb, occurred_at_ms bigint)`);
    await runner.query(
      `COMMENT ON VIEW recorded_events IS 'events that are not sent, or not yet confirmed by all of their consumers'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW recorded_events`);
    await runner.query(`DROP TABLE sent_batches`);
    await runner.query(
      `ALTER TABLE outbox ADD COLUMN sent_at timestamptz, ALTER COLUMN id SET DEFAULT gen_random_uuid()`,
    );
    await runner.query(
      `ALTER TABLE processed DROP CONSTRAINT processed_pkey, ADD COLUMN consumer text NOT NULL DEFAULT ''`,
    );
    await runner.query(`ALTER TABLE processed ADD PRIMARY KEY (consumer, event_id)`);
    await runner.query(`CREATE INDEX outbox_unsent ON outbox (seq) WHERE sent_at IS NULL`);
  }
}
