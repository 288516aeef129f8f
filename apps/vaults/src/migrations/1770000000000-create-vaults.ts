import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Vaults, and the wraps of their keys: by the master key, by delegated keys, by access tokens. */
export class CreateVaults1770000000000 implements MigrationInterface {
  readonly name = 'CreateVaults1770000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...vaults, ...dvaks, ...sessions]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE vault_sessions, dvaks, vault_keys, vaults`);
  }
}

/** The name of a vault that is being deleted is free. `seal_epoch` counts its seals: tokens of earlier ones are dead. */
const vaults = [
  `CREATE TABLE vaults (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     name text NOT NULL,
     name_key text COLLATE "C" NOT NULL,
     description text,
     status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleting')),
     public_file_sharing boolean NOT NULL DEFAULT false,
     ingot_count bigint NOT NULL DEFAULT 0,
     storage_bytes bigint NOT NULL DEFAULT 0,
     total_access_count bigint NOT NULL DEFAULT 0,
     total_bandwidth_bytes bigint NOT NULL DEFAULT 0,
     created_at timestamptz NOT NULL DEFAULT now(),
     created_by_user_id text COLLATE "C",
     updated_at timestamptz NOT NULL DEFAULT now(),
     last_unsealed_at timestamptz,
     unseal_count bigint NOT NULL DEFAULT 0,
     seal_epoch bigint NOT NULL DEFAULT 0,
     deleted_at timestamptz,
     CONSTRAINT deletion_is_dated CHECK ((status = 'deleting') = (deleted_at IS NOT NULL))
   ) WITH (fillfactor = 80)`,
  `CREATE UNIQUE INDEX vaults_name_key ON vaults (account_id, name_key) WHERE status = 'active'`,
  `CREATE INDEX vaults_of_account ON vaults (account_id, created_at, id)`,
  `CREATE INDEX vaults_to_remove ON vaults (deleted_at) WHERE status = 'deleting'`,
  // Apart from the vault, so that no list and no update of a name touches it.
  `CREATE TABLE vault_keys (
     vault_id text COLLATE "C" PRIMARY KEY REFERENCES vaults,
     wrapped_key bytea NOT NULL
   )`,
];

/** A key that is revoked keeps its row, for lists and so that its last 4 letters name no other key of the vault. */
const dvaks = [
  `CREATE TABLE dvaks (
     id text COLLATE "C" PRIMARY KEY,
     vault_id text COLLATE "C" NOT NULL REFERENCES vaults,
     account_id text COLLATE "C" NOT NULL,
     dvak_type text NOT NULL CHECK (dvak_type IN ('user', 'nhi', 'system')),
     authorized_user_id text COLLATE "C",
     authorized_user_email text,
     nhi_description text,
     system_purpose text CHECK (system_purpose IN ('sharing', 'upload_portal', 'upload_widget', 'messaging')),
     access_level text CHECK (access_level IN ('read', 'read_write')),
     last4 text COLLATE "C" NOT NULL,
     lookup bytea NOT NULL UNIQUE,
     status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'revoked')),
     wrapped_key bytea,
     created_at timestamptz NOT NULL DEFAULT now(),
     revoked_at timestamptz,
     last_used_at timestamptz,
     use_count bigint NOT NULL DEFAULT 0,
     UNIQUE (vault_id, last4),
     CONSTRAINT user_key_has_user CHECK ((dvak_type = 'user') = (authorized_user_id IS NOT NULL)),
     CONSTRAINT legacy_has_no_level CHECK (access_level IS NOT NULL OR created_at < '2026-01-01'),
     CONSTRAINT active_has_wrap CHECK ((status = 'active') = (wrapped_key IS NOT NULL) AND (status = 'active') = (revoked_at IS NULL))
   )`,
  `CREATE INDEX dvaks_of_vault ON dvaks (vault_id, created_at, id)`,
  `CREATE INDEX dvaks_of_user ON dvaks (account_id, authorized_user_id) WHERE status = 'active' AND dvak_type = 'user'`,
  // The share key of a vault is a system key: KMS wraps it, and no token of it exists (DVK-13).
  `CREATE UNIQUE INDEX dvaks_sharing ON dvaks (vault_id) WHERE status = 'active' AND system_purpose = 'sharing'`,
];

/** One row per Vault Access Token. An expired one is remembered without its wrap: it answers 403 and not 401. */
const sessions = [
  `CREATE TABLE vault_sessions (
     lookup bytea PRIMARY KEY,
     id text COLLATE "C" NOT NULL UNIQUE,
     vault_id text COLLATE "C" NOT NULL REFERENCES vaults,
     account_id text COLLATE "C" NOT NULL,
     access_level text NOT NULL CHECK (access_level IN ('read', 'read_write')),
     dvak_id text COLLATE "C" REFERENCES dvaks,
     authorized_user_id text COLLATE "C",
     issued_at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL,
     seal_epoch bigint NOT NULL,
     wrapped_key bytea
   )`,
  `CREATE INDEX vault_sessions_of_vault ON vault_sessions (vault_id, expires_at)`,
  `CREATE INDEX vault_sessions_of_dvak ON vault_sessions (dvak_id) WHERE dvak_id IS NOT NULL`,
  `CREATE INDEX vault_sessions_to_wipe ON vault_sessions (expires_at) WHERE wrapped_key IS NOT NULL`,
  `CREATE INDEX vault_sessions_by_expiry ON vault_sessions (expires_at)`,
];
