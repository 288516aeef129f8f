import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The id of a new event is a UUID of version 7 (RFC 9562): it begins with the time, so that the index of processed events
 * grows at its end. With random ids each insert touches, and after a checkpoint logs, another page.
 */
const TIME_ORDERED_ID = `encode(set_byte(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
  6, 112 + floor(random() * 16)::int), 'hex')::uuid`;

/** The outbox with the events that were sent, the record of processed events, and the dead letters. */
export class CreateMessagingTables1769000000000 implements MigrationInterface {
  readonly name = 'CreateMessagingTables1769000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [outbox, ...sentBatches, ...recordedEvents, ...processed, deadLetters])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW recorded_events`);
    await runner.query(`DROP TABLE dead_letters, processed, sent_batches, outbox`);
  }
}

const outbox = `
  CREATE TABLE outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL DEFAULT ${TIME_ORDERED_ID},
    name text NOT NULL,
    account_id text,
    request_id text,
    payload jsonb NOT NULL,
    occurred_at timestamptz NOT NULL DEFAULT now()
  )`;

/**
 * Sent events leave the outbox and are kept as one row for each batch: marking, indexing and deleting each of them took more
 * than half of what PostgreSQL wrote for an event (ADR 27).
 */
const sentBatches = [
  `CREATE TABLE sent_batches (
     seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     events json NOT NULL,
     occurred_at timestamptz NOT NULL,
     sent_at timestamptz NOT NULL DEFAULT now()
   )`,
  `COMMENT ON COLUMN sent_batches.events IS 'rows of the outbox'`,
  `COMMENT ON COLUMN sent_batches.occurred_at IS 'the time of the oldest event'`,
];

const recordedEvents = [
  `CREATE VIEW recorded_events AS
     SELECT seq, id, name, account_id, request_id, payload, occurred_at FROM outbox
     UNION ALL
     SELECT e.seq, e.id, e.name, e.account_id, e.request_id, e.payload, to_timestamp(e.occurred_at_ms / 1000.0)
       FROM sent_batches,
       json_to_recordset(events) AS e (seq bigint, id uuid, name text, account_id text, request_id text,
                                       payload jsonb, occurred_at_ms bigint)`,
  `COMMENT ON VIEW recorded_events IS 'events that are not sent, or not yet confirmed by all of their consumers'`,
];

/** An event has one source and thereby one consumer of a service. */
const processed = [
  `CREATE TABLE processed (
     event_id uuid PRIMARY KEY,
     processed_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX processed_by_age ON processed USING brin (processed_at)`,
];

const deadLetters = `
  CREATE TABLE dead_letters (
    consumer text NOT NULL,
    event_id text NOT NULL,
    delivery jsonb NOT NULL,
    error text NOT NULL,
    failed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event_id)
  )`;
