import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Panels of the CRMs: a row is first found by its ticket, then by its bearer. */
export class CreatePanels1767500000000 implements MigrationInterface {
  readonly name = 'CreatePanels1767500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE panels (
      lookup bytea PRIMARY KEY,
      is_open boolean NOT NULL DEFAULT false,
      account_id text NOT NULL,
      app_id text NOT NULL,
      generation integer NOT NULL,
      user_id text NOT NULL,
      object_type text NOT NULL,
      record_id text NOT NULL,
      expires_at timestamptz NOT NULL)`);
    await runner.query(`CREATE INDEX panels_expired ON panels (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE panels`);
  }
}
