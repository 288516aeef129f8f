import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * States of authorizations that were started, by their hash, and secrets with which orgs of crmb sign sessions. A secret without
 * `sealed` stands for the common one of the settings, until it ends. Older instances use neither.
 */
export class CreateOAuthStates1768110000000 implements MigrationInterface {
  readonly name = 'CreateOAuthStates1768110000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of tables) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['crmb_session_secrets', 'oauth_states']) await runner.query(`DROP TABLE ${table}`);
  }
}

const tables = [
  `CREATE TABLE oauth_states (
     lookup bytea PRIMARY KEY,
     app_id text NOT NULL,
     account_id text NOT NULL,
     session_id text NOT NULL,
     redirect_uri text NOT NULL,
     expires_at timestamptz NOT NULL)`,
  `CREATE INDEX oauth_states_expired ON oauth_states (expires_at)`,
  `CREATE TABLE crmb_session_secrets (
     id uuid PRIMARY KEY,
     account_id text NOT NULL,
     generation integer NOT NULL,
     data_key_id text,
     sealed bytea,
     ends_at timestamptz,
     CHECK ((sealed IS NULL) = (data_key_id IS NULL)))`,
  `CREATE INDEX crmb_session_secrets_connection ON crmb_session_secrets (account_id, generation)`,
];
