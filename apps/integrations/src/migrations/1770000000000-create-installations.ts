import { CREATE_DATA_KEYS_SQL, DROP_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Installations of integrations, authorizations that were started, and provider tokens that are still to be revoked. */
export class CreateInstallations1770000000000 implements MigrationInterface {
  readonly name = 'CreateInstallations1770000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [CREATE_DATA_KEYS_SQL, ...installations, ...revocations, ...states, ...sessionSecrets])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE crmb_session_secrets, oauth_states, token_revocations, installations`);
    await runner.query(DROP_DATA_KEYS_SQL);
  }
}

/**
 * One row for each account and integration, for ever: an uninstallation is `removed`, the next installation activates it again
 * with a higher `generation`, and nothing that an earlier one issued is valid any more. `remote_id` is the workspace, portal or
 * org; `remote` has what the provider tells about it; `sealed` its tokens, which are refreshed at `refresh_at`.
 *
 * `connected_at`: when the connection was made or renewed; older events are about an earlier one. `hinted_at`: when an event last
 * said that the provider has ended the connection, until a refresh has answered; `hint_suffices` where no answer ends it, too.
 * `refresh_leased_until`: one refresh at a time, because a provider may rotate refresh tokens.
 */
const installations = [
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
     refresh_at timestamptz NOT NULL DEFAULT now(),
     connected_at timestamptz,
     hinted_at timestamptz,
     hint_due_at timestamptz,
     hint_suffices boolean NOT NULL DEFAULT false,
     refresh_leased_until timestamptz NOT NULL DEFAULT '-infinity',
     is_suspended boolean NOT NULL DEFAULT false,
     PRIMARY KEY (account_id, app_id),
     CHECK ((sealed IS NULL) = (data_key_id IS NULL)),
     CHECK (status = 'active' OR sealed IS NULL))`,
  `CREATE UNIQUE INDEX installations_remote ON installations (app_id, remote_id) WHERE status = 'active'`,
  `CREATE INDEX installations_refresh ON installations (refresh_at) WHERE status = 'active' AND sealed IS NOT NULL`,
  `CREATE INDEX installations_hinted ON installations (hint_due_at) WHERE hint_due_at IS NOT NULL`,
];

/** `remote_id`: the workspace, portal or org of the token. */
const revocations = [
  `CREATE TABLE token_revocations (
     id uuid PRIMARY KEY,
     account_id text NOT NULL,
     app_id text NOT NULL,
     data_key_id text NOT NULL,
     sealed bytea NOT NULL,
     next_attempt_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL,
     remote_id text)`,
  `CREATE INDEX token_revocations_due ON token_revocations (next_attempt_at)`,
];

/** States of authorizations that were started, by their hash. */
const states = [
  `CREATE TABLE oauth_states (
     lookup bytea PRIMARY KEY,
     app_id text NOT NULL,
     account_id text NOT NULL,
     session_id text NOT NULL,
     redirect_uri text NOT NULL,
     expires_at timestamptz NOT NULL)`,
  `CREATE INDEX oauth_states_expired ON oauth_states (expires_at)`,
];

/** Secrets with which orgs of crmb sign sessions. One without `sealed` stands for the common one of the settings, until it ends. */
const sessionSecrets = [
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
