import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts and their users. `version` grows with every change that a cached credential must follow; it never goes
 * back, and no row that a credential depends on is deleted while the credential exists.
 */
export class CreateAccounts1763700000000 implements MigrationInterface {
  readonly name = 'CreateAccounts1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE accounts (
        id text COLLATE "C" PRIMARY KEY,
        organization_name text NOT NULL,
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
        version bigint NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE users (
        id text COLLATE "C" PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL REFERENCES accounts,
        email text NOT NULL,
        email_key text COLLATE "C" NOT NULL UNIQUE,
        name text,
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
        seat text NOT NULL CHECK (seat IN ('full', 'viewer')),
        status text NOT NULL CHECK (status IN ('invited', 'active')),
        version bigint NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (account_id, id)
      )`);
    await runner.query(`CREATE INDEX users_by_age ON users (account_id, created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE users, accounts`);
  }
}
