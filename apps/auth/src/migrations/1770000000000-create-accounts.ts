import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts, their users, the identities of these, and claimed domains. `version` grows with every change that a cached
 * credential must follow; it never goes back, and no row that a credential depends on is deleted while the credential exists.
 */
export class CreateAccounts1770000000000 implements MigrationInterface {
  readonly name = 'CreateAccounts1770000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [accounts, ...users, ...identities, ...domains]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE domains, identities, users, accounts`);
  }
}

const accounts = `
  CREATE TABLE accounts (
    id text COLLATE "C" PRIMARY KEY,
    organization_name text NOT NULL,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    logo_url_light text,
    logo_url_dark text,
    settings jsonb NOT NULL DEFAULT '{}'
  )`;

/**
 * A removed user keeps the row, because cached credentials count by its version, but not the address. `invited_by` is null for
 * an API key, which is nobody's name in a mail. An invited user creates no API key, except the owner of a first account, who
 * `joins_at_sign_in`: the bootstrap command creates the first key in that name. `sessions_end_after` is when a job ends the
 * sessions that the removal of the user has left; null if there are none.
 *
 * Folded addresses (`email_key`) find invitations, and several organizations may invite one. An active user has the exact
 * address of the provider (ADR 22).
 */
const users = [
  `CREATE TABLE users (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL REFERENCES accounts,
     email text NOT NULL,
     email_key text COLLATE "C" NOT NULL,
     name text,
     role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
     seat text NOT NULL CHECK (seat IN ('full', 'viewer')),
     status text NOT NULL CHECK (status IN ('invited', 'active', 'removed')),
     version bigint NOT NULL DEFAULT 1,
     created_at timestamptz NOT NULL DEFAULT now(),
     invited_by text COLLATE "C",
     invitation_expires_at timestamptz NOT NULL DEFAULT now() + interval '14 days',
     joins_at_sign_in boolean NOT NULL DEFAULT false,
     sessions_end_after timestamptz,
     UNIQUE (account_id, id)
   )`,
  `CREATE INDEX users_by_age ON users (account_id, created_at, id)`,
  `CREATE UNIQUE INDEX users_by_email_key ON users (email_key, account_id) WHERE status <> 'removed'`,
  `CREATE UNIQUE INDEX users_active_email ON users (email COLLATE "C") WHERE status = 'active'`,
  `CREATE INDEX users_by_expiry ON users (invitation_expires_at) WHERE status = 'invited'`,
  `CREATE INDEX users_by_end_of_sessions ON users (sessions_end_after) WHERE sessions_end_after IS NOT NULL`,
];

/** A person at the identity provider. Bound to one user at most, and to another only after that one was removed. */
const identities = [
  `CREATE TABLE identities (
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
   )`,
  `CREATE INDEX identities_by_sight ON identities (seen_at) WHERE user_id IS NULL`,
  `CREATE INDEX identities_registered_by_email ON identities (email_key) WHERE user_id IS NOT NULL`,
];

/** Claims are verified again every week. */
const domains = [
  `CREATE TABLE domains (
     domain text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL REFERENCES accounts,
     verified_at timestamptz NOT NULL DEFAULT now(),
     next_check_at timestamptz NOT NULL DEFAULT now() + interval '7 days',
     missing_since timestamptz
   )`,
  `CREATE INDEX domains_by_account ON domains (account_id)`,
  `CREATE INDEX domains_by_next_check ON domains (next_check_at)`,
];
