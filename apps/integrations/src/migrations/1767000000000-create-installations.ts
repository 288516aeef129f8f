import { CREATE_DATA_KEYS_SQL, DROP_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Installations of integrations, and provider tokens that are still to be revoked. */
export class CreateInstallations1767000000000 implements MigrationInterface {
  readonly name = 'CreateInstallations1767000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [CREATE_DATA_KEYS_SQL, ...tables]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['token_revocations', 'installations']) await runner.query(`DROP TABLE ${table}`);
    await runner.query(DROP_DATA_KEYS_SQL);
  }
}

/**
 * One row for each account and integration, for ever: an uninstallation is `removed`, the next installation activates it again
 * with a higher `generation`, and nothing that an earlier one issued is valid any more. `remote_id` is the workspace, portal or
 * org; `remote` has what the provider tells about it; `sealed` its tokens.
 */
const tables = [
  `CREATE TABLE installations (
     account_id text NOT NULL,
     app_id text NOT NULL,
     status text NOT NULL CHECK (status IN ('active', 'removed')),
     generation integer NOT NULL DEFAULT 1,
     settings jsonb NOT NULL DEFAULT '{}',
     remote_id text,
     remote jsonb,
     vault_id text,
     data_key_id text,
     sealed bytea,
     installed_by_user_id text,
     installed_by_credential_id text NOT NULL,
     installed_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, app_id),
     CHECK ((sealed IS NULL) = (data_key_id IS NULL)),
     CHECK (status = 'active' OR sealed IS NULL))`,
  `CREATE UNIQUE INDEX installations_remote ON installations (app_id, remote_id) WHERE status = 'active'`,
  `CREATE TABLE token_revocations (
     id uuid PRIMARY KEY,
     account_id text NOT NULL,
     app_id text NOT NULL,
     data_key_id text NOT NULL,
     sealed bytea NOT NULL,
     next_attempt_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL)`,
  `CREATE INDEX token_revocations_due ON token_revocations (next_attempt_at)`,
];
