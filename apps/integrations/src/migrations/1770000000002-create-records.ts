import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Folders of records of the CRMs, the people to whom Vault Access Tokens were given, and panels. */
export class CreateRecords1770000000002 implements MigrationInterface {
  readonly name = 'CreateRecords1770000000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [folders, ...tokens, ...panels]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE panels, record_tokens, record_folders`);
  }
}

/** An id of crmb has 18 characters here, also if it was sent with 15: one row for each record. */
const folders = `
  CREATE TABLE record_folders (
    account_id text NOT NULL,
    app_id text NOT NULL,
    remote_id text NOT NULL,
    vault_id text NOT NULL,
    object_type text NOT NULL,
    record_id text NOT NULL,
    folder_id text NOT NULL,
    PRIMARY KEY (account_id, app_id, remote_id, vault_id, object_type, record_id))`;

const tokens = [
  `CREATE TABLE record_tokens (
     lookup bytea PRIMARY KEY,
     account_id text NOT NULL,
     app_id text NOT NULL,
     generation integer NOT NULL,
     user_id text NOT NULL,
     expires_at timestamptz NOT NULL)`,
  `CREATE INDEX record_tokens_expired ON record_tokens (expires_at)`,
];

/** A row is first found by its ticket, then by its bearer. */
const panels = [
  `CREATE TABLE panels (
     lookup bytea PRIMARY KEY,
     is_open boolean NOT NULL DEFAULT false,
     account_id text NOT NULL,
     app_id text NOT NULL,
     generation integer NOT NULL,
     user_id text NOT NULL,
     object_type text NOT NULL,
     record_id text NOT NULL,
     expires_at timestamptz NOT NULL)`,
  `CREATE INDEX panels_expired ON panels (expires_at)`,
];
