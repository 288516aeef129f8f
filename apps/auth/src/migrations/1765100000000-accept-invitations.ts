import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invitations expire, and several organizations may invite one address; the owner of a first account is marked. */
export class AcceptInvitations1765100000000 implements MigrationInterface {
  readonly name = 'AcceptInvitations1765100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...columns, ...keys]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const text of former) await runner.query(text);
  }
}

/**
 * Open invitations get 14 days from now on. An invited user creates no API key, except the owner of a first account: the
 * bootstrap command creates the first key in that name.
 */
const columns = [
  `ALTER TABLE users
     ADD COLUMN invitation_expires_at timestamptz NOT NULL DEFAULT now() + interval '14 days',
     ADD COLUMN joins_at_sign_in boolean NOT NULL DEFAULT false`,
  `UPDATE users u SET joins_at_sign_in = true
    WHERE u.status = 'invited' AND EXISTS (SELECT 1 FROM api_keys k WHERE k.created_by = u.id)`,
  `CREATE INDEX users_by_expiry ON users (invitation_expires_at) WHERE status = 'invited'`,
];

/** Folded addresses find invitations; an active user has the exact address of the provider (ADR 22). */
const keys = [
  `DROP INDEX users_email_key_key`,
  `CREATE UNIQUE INDEX users_by_email_key ON users (email_key, account_id) WHERE status <> 'removed'`,
  `CREATE UNIQUE INDEX users_active_email ON users (email COLLATE "C") WHERE status = 'active'`,
];

/** Of several users with one address, only an active one or the oldest invited one can stay. */
const former = [
  `UPDATE users u SET status = 'removed', email = '', email_key = u.id, name = NULL, version = u.version + 1
    WHERE u.status = 'invited' AND EXISTS (
      SELECT 1 FROM users o WHERE o.email_key = u.email_key AND o.id <> u.id
         AND (o.status = 'active' OR o.status = 'invited' AND (o.created_at, o.id) < (u.created_at, u.id)))`,
  `DROP INDEX users_by_email_key, users_active_email, users_by_expiry`,
  `CREATE UNIQUE INDEX users_email_key_key ON users (email_key) WHERE status <> 'removed'`,
  `ALTER TABLE users DROP COLUMN invitation_expires_at, DROP COLUMN joins_at_sign_in`,
];
