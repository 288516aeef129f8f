import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The trace that an event belongs to, as W3C `traceparent`; null for nearly all. It is a default, because many statements
 * insert events: those of a recorded request run in a transaction that has the setting (`Database`).
 */
export class AddOutboxTrace1780000000001 implements MigrationInterface {
  readonly name = 'AddOutboxTrace1780000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE outbox ADD COLUMN trace text DEFAULT nullif(current_setting('vaultsvc.trace', true), '')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbox DROP COLUMN trace`);
  }
}
