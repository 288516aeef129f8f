import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Folders of records of the CRMs, and the people to whom Vault Access Tokens were given. */
export class CreateRecords1767300000000 implements MigrationInterface {
  readonly name = 'CreateRecords1767300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE record_folders (
      account_id text NOT NULL,
      app_id text NOT NULL,
      remote_id text NOT NULL,
      vault_id text NOT NULL,
      object_type text NOT NULL,
      record_id text NOT NULL,
      folder_id text NOT NULL,
      PRIMARY KEY (account_id, app_id, remote_id, vault_id, object_type, record_id))`);
    await runner.query(`CREATE TABLE record_tokens (
      lookup bytea PRIMARY KEY,
      account_id text NOT NULL,
      app_id text NOT NULL,
      generation integer NOT NULL,
      user_id text NOT NULL,
      expires_at timestamptz NOT NULL)`);
    await runner.query(`CREATE INDEX record_tokens_expired ON record_tokens (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['record_tokens', 'record_folders']) await runner.query(`DROP TABLE ${table}`);
  }
}
