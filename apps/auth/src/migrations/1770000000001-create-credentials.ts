import { CREATE_DATA_KEYS_SQL, DROP_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys and session families, with which requests authenticate, and the keys that sign tokens and receipts. */
export class CreateCredentials1770000000001 implements MigrationInterface {
  readonly name = 'CreateCredentials1770000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [
      CREATE_DATA_KEYS_SQL,
      ...apiKeys,
      ...families,
      ...idTokens,
      signingKeys,
      ...receiptKeys,
    ])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE receipt_keys, signing_keys, used_id_tokens, superseded, families, api_keys`,
    );
    await runner.query(DROP_DATA_KEYS_SQL);
  }
}

/** `lookup` is the hash of 256 random bits: the key itself is stored nowhere. */
const apiKeys = [
  `CREATE TABLE api_keys (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL REFERENCES accounts,
     created_by text COLLATE "C" NOT NULL,
     name text NOT NULL,
     lookup bytea NOT NULL UNIQUE CHECK (length(lookup) = 32),
     preview text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz CHECK (expires_at > created_at),
     revoked_at timestamptz,
     last_used_at timestamptz,
     version bigint NOT NULL DEFAULT 1
   )`,
  `CREATE INDEX api_keys_by_age ON api_keys (account_id, created_at, id)`,
];

/**
 * A full session is of a user of an account; an identity-only one has neither yet (AUTH-06). `head` is the newest generation of
 * the family's refresh token; `superseded` says when an older one was exchanged for the first time, for as long as that counts.
 * No token is stored: each is a MAC over the family's secret, under the data key `mac_key_id`.
 *
 * Ended sessions stay for 30 days: without the condition of the indexes of live ones, a sign-in would read all of them to find
 * the oldest live one.
 */
const families = [
  `CREATE TABLE families (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     session_type text NOT NULL CHECK (session_type IN ('full', 'identity_only')),
     user_id text COLLATE "C",
     account_id text COLLATE "C",
     identity_id text COLLATE "C",
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
     revoked_at timestamptz,
     version bigint NOT NULL DEFAULT 1,
     delivery text NOT NULL CHECK (delivery IN ('body', 'cookie')),
     head int NOT NULL DEFAULT 1 CHECK (head > 0),
     secret bytea NOT NULL CHECK (length(secret) = 32),
     mac_key_id text NOT NULL,
     FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id),
     CHECK (CASE session_type
       WHEN 'full' THEN user_id IS NOT NULL AND account_id IS NOT NULL
       ELSE identity_id IS NOT NULL AND user_id IS NULL AND account_id IS NULL
     END)
   )`,
  `CREATE INDEX families_by_end ON families (least(expires_at, revoked_at))`,
  `CREATE INDEX families_live_by_user ON families (user_id, created_at) WHERE revoked_at IS NULL AND user_id IS NOT NULL`,
  `CREATE INDEX families_live_by_identity ON families (identity_id, created_at)
    WHERE revoked_at IS NULL AND identity_id IS NOT NULL`,
  `CREATE TABLE superseded (
     family_id uuid NOT NULL REFERENCES families ON DELETE CASCADE,
     generation int NOT NULL,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (family_id, generation)
   )`,
];

/** Hashes of the ID tokens that signed in, until they expire. */
const idTokens = [
  `CREATE TABLE used_id_tokens (
     hash bytea PRIMARY KEY CHECK (length(hash) = 32),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX used_id_tokens_by_expiry ON used_id_tokens (expires_at)`,
];

/** Instances that make the next key at once agree by `generation`: one row of each. */
const signingKeys = `
  CREATE TABLE signing_keys (
    generation int PRIMARY KEY,
    kid text COLLATE "C" NOT NULL UNIQUE,
    public_key text NOT NULL,
    data_key_id text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    first_use_at timestamptz NOT NULL,
    retire_at timestamptz NOT NULL CHECK (retire_at > first_use_at)
  )`;

/**
 * The private part of an outlived key is null. Its row verifies receipts for ever (NTF-45), and the service itself cannot
 * delete it.
 */
const receiptKeys = [
  `CREATE TABLE receipt_keys (
     generation int PRIMARY KEY,
     kid text COLLATE "C" NOT NULL UNIQUE,
     public_key text NOT NULL,
     data_key_id text,
     sealed bytea,
     created_at timestamptz NOT NULL DEFAULT now(),
     first_use_at timestamptz NOT NULL,
     retire_at timestamptz NOT NULL CHECK (retire_at > first_use_at),
     CHECK ((data_key_id IS NULL) = (sealed IS NULL))
   )`,
  `DO $$ DECLARE grantee text; BEGIN
     FOR grantee IN SELECT DISTINCT g.grantee FROM information_schema.role_table_grants g
       WHERE g.table_schema = current_schema() AND g.table_name = 'receipt_keys' AND g.grantee <> current_user
     LOOP EXECUTE format('REVOKE DELETE, TRUNCATE ON receipt_keys FROM %I', grantee); END LOOP;
   END $$`,
];
