import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys and session families: what a request authenticates with. */
export class CreateCredentials1763700000001 implements MigrationInterface {
  readonly name = 'CreateCredentials1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    // `lookup` is the hash of 256 random bits: the key itself is stored nowhere.
    await runner.query(`
      CREATE TABLE api_keys (
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
      )`);
    await runner.query(`CREATE INDEX api_keys_by_age ON api_keys (account_id, created_at, id)`);
    // A full session is of a user of an account; an identity-only one has neither yet (AUTH-06).
    await runner.query(`
      CREATE TABLE families (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        session_type text NOT NULL CHECK (session_type IN ('full', 'identity_only')),
        user_id text COLLATE "C",
        account_id text COLLATE "C",
        identity_id text COLLATE "C",
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
        revoked_at timestamptz,
        version bigint NOT NULL DEFAULT 1,
        FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id),
        CHECK (CASE session_type
          WHEN 'full' THEN user_id IS NOT NULL AND account_id IS NOT NULL
          ELSE identity_id IS NOT NULL AND user_id IS NULL AND account_id IS NULL
        END)
      )`);
    await runner.query(`CREATE INDEX families_by_user ON families (user_id) WHERE revoked_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE families, api_keys`);
  }
}
