import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identities, session families and claimed domains. */
export class CreateIdentities1764100000000 implements MigrationInterface {
  readonly name = 'CreateIdentities1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await createIdentities(runner);
    await extendFamilies(runner);
    await extendAccounts(runner);
    await runner.query(`
      CREATE TABLE domains (
        domain text COLLATE "C" PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL REFERENCES accounts,
        verified_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX domains_by_account ON domains (account_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE domains, superseded, identities`);
    await runner.query(`DROP INDEX families_by_end, families_by_identity`);
    await runner.query(
      `ALTER TABLE families DROP COLUMN delivery, DROP COLUMN head, DROP COLUMN secret, DROP COLUMN mac_key_id`,
    );
    await runner.query(
      `ALTER TABLE accounts DROP COLUMN logo_url_light, DROP COLUMN logo_url_dark, DROP COLUMN settings`,
    );
    await runner.query(`DROP INDEX families_by_user`);
    await runner.query(`CREATE INDEX families_by_user ON families (user_id) WHERE revoked_at IS NULL`);
    await runner.query(`ALTER TABLE users DROP COLUMN invited_by`);
    await runner.query(`DROP INDEX users_email_key_key`);
    await runner.query(`ALTER TABLE users ADD CONSTRAINT users_email_key_key UNIQUE (email_key)`);
  }
}

/** A person at the identity provider. Bound to one user at most, and to another only after that one was removed. */
async function createIdentities(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE identities (
      id text COLLATE "C" PRIMARY KEY,
      issuer text COLLATE "C" NOT NULL,
      subject text COLLATE "C" NOT NULL,
      email text NOT NULL,
      email_key text COLLATE "C" NOT NULL,
      name text,
      user_id text COLLATE "C" UNIQUE REFERENCES users,
      created_at timestamptz NOT NULL DEFAULT now(),
      seen_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (issuer, subject)
    )`);
  await runner.query(`CREATE INDEX identities_by_sight ON identities (seen_at) WHERE user_id IS NULL`);
  // A removed person keeps the row, because cached credentials count by its version, but not the address.
  await runner.query(`ALTER TABLE users DROP CONSTRAINT users_status_check`);
  await runner.query(
    `ALTER TABLE users ADD CONSTRAINT users_status_check CHECK (status IN ('invited', 'active', 'removed'))`,
  );
  await runner.query(`ALTER TABLE users DROP CONSTRAINT users_email_key_key`);
  await runner.query(
    `CREATE UNIQUE INDEX users_email_key_key ON users (email_key) WHERE status <> 'removed'`,
  );
  // The user who invited; null for an API key, which is nobody's name in a mail.
  await runner.query(`ALTER TABLE users ADD COLUMN invited_by text COLLATE "C"`);
  await runner.query(
    `CREATE INDEX identities_registered_by_email ON identities (email_key) WHERE user_id IS NOT NULL`,
  );
}

/**
 * `head` is the newest generation of the family's refresh token; `superseded` says when an older one was exchanged for
 * the first time, for as long as that counts. No token is stored: each is a MAC over the family's secret, under the
 * data key `mac_key_id`.
 */
async function extendFamilies(runner: QueryRunner): Promise<void> {
  // Sessions from before this migration cannot be renewed; none was ever issued to anybody.
  await runner.query(`DELETE FROM families`);
  await runner.query(`
    ALTER TABLE families
      ADD COLUMN delivery text NOT NULL CHECK (delivery IN ('body', 'cookie')),
      ADD COLUMN head int NOT NULL DEFAULT 1 CHECK (head > 0),
      ADD COLUMN secret bytea NOT NULL CHECK (length(secret) = 32),
      ADD COLUMN mac_key_id text NOT NULL`);
  await runner.query(`CREATE INDEX families_by_end ON families (least(expires_at, revoked_at))`);
  await runner.query(
    `CREATE INDEX families_by_identity ON families (identity_id) WHERE identity_id IS NOT NULL`,
  );
  // Ended sessions too: a removal that is repeated buries their records again.
  await runner.query(`DROP INDEX families_by_user`);
  await runner.query(`CREATE INDEX families_by_user ON families (user_id)`);
  await runner.query(`
    CREATE TABLE superseded (
      family_id uuid NOT NULL REFERENCES families ON DELETE CASCADE,
      generation int NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (family_id, generation)
    )`);
}

async function extendAccounts(runner: QueryRunner): Promise<void> {
  await runner.query(`
    ALTER TABLE accounts
      ADD COLUMN logo_url_light text,
      ADD COLUMN logo_url_dark text,
      ADD COLUMN settings jsonb NOT NULL DEFAULT '{}'`);
}
