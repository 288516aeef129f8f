import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Suppressed addresses, categories as they were written, the sends to an address, and push tokens by endpoint. Older instances
 * go on: they write rows with the defaults, and `RehashSubscriptions` gives theirs the new hash.
 */
export class ManageRecipients1768400000000 implements MigrationInterface {
  readonly name = 'ManageRecipients1768400000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of changes) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const text of undo) await runner.query(text);
  }
}

/** `hash_of`: of what `token_hash` is: the whole token, or the endpoint of a web push subscription. */
const changes = [
  `CREATE TABLE suppressions (
     id text PRIMARY KEY,
     account_id text NOT NULL,
     address_key text NOT NULL,
     address text NOT NULL,
     reason text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (account_id, address_key))`,
  `CREATE INDEX suppressions_listed ON suppressions (account_id, created_at DESC, id DESC)`,
  `ALTER TABLE opt_outs ADD COLUMN category_label text`,
  `CREATE INDEX recipients_of_address ON recipients (account_id, lower(email COLLATE "C")) WHERE email IS NOT NULL`,
  `ALTER TABLE push_tokens ADD COLUMN hash_of text NOT NULL DEFAULT 'token' CHECK (hash_of IN ('token', 'endpoint'))`,
  `CREATE INDEX push_tokens_rehashed ON push_tokens (created_at DESC, id) WHERE platform = 'web' AND hash_of = 'token'`,
];

const undo = [
  `ALTER TABLE push_tokens DROP COLUMN hash_of`,
  `DROP INDEX recipients_of_address`,
  `ALTER TABLE opt_outs DROP COLUMN category_label`,
  `DROP TABLE suppressions`,
];
