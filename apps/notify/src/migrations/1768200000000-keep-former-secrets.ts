import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secrets of webhooks that were replaced: for a day their signatures are sent beside those of the new ones. */
export class KeepFormerSecrets1768200000000 implements MigrationInterface {
  readonly name = 'KeepFormerSecrets1768200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE former_webhook_secrets (
         id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         account_id text NOT NULL,
         data_key_id text NOT NULL,
         sealed bytea NOT NULL,
         ends_at timestamptz NOT NULL)`,
    );
    await runner.query(
      `CREATE INDEX former_webhook_secrets_of ON former_webhook_secrets (account_id, ends_at)`,
    );
    await runner.query(`CREATE INDEX former_webhook_secrets_ended ON former_webhook_secrets (ends_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE former_webhook_secrets`);
  }
}
