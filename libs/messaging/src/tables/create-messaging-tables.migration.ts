import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outbox, the record of processed events, and the dead letters. */
export class CreateMessagingTables1700000000000 implements MigrationInterface {
  readonly name = 'CreateMessagingTables1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        name text NOT NULL,
        account_id text,
        request_id text,
        payload jsonb NOT NULL,
        occurred_at timestamptz NOT NULL DEFAULT now(),
        sent_at timestamptz
      )`);
    await runner.query(`CREATE INDEX outbox_unsent ON outbox (seq) WHERE sent_at IS NULL`);
    await runner.query(`
      CREATE TABLE processed (
        consumer text NOT NULL,
        event_id uuid NOT NULL,
        processed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (consumer, event_id)
      )`);
    await runner.query(`CREATE INDEX processed_by_age ON processed USING brin (processed_at)`);
    await runner.query(`
      CREATE TABLE dead_letters (
        consumer text NOT NULL,
        event_id text NOT NULL,
        delivery jsonb NOT NULL,
        error text NOT NULL,
        failed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (consumer, event_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE dead_letters, processed, outbox`);
  }
}
