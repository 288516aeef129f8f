import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts one-time codes for each identity, no longer for each link (OPEN-25). `verify_starts` and `verify_since` of links
 * stay for instances of the previous release.
 */
export class BudgetCodes1764720000000 implements MigrationInterface {
  readonly name = 'BudgetCodes1764720000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...verifications, codeBudgets, budgetsByExpiry, ...messages])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const text of formerTables) await runner.query(text);
  }
}

/** `identity_mac` finds the codes of an identity; codes of the previous release have none and are not found. */
const verifications = [
  `ALTER TABLE verifications ADD COLUMN identity_mac bytea`,
  `CREATE INDEX verifications_of_identity ON verifications (link_id, identity_mac, created_at)`,
];

/**
 * The codes requested and the wrong codes entered for one identity at one link, or from one address. The subject is a MAC,
 * because a plain hash of an address or phone number could be reversed.
 */
const codeBudgets = `
  CREATE TABLE code_budgets (
    link_id uuid NOT NULL REFERENCES sparklinks ON DELETE CASCADE,
    subject bytea NOT NULL,
    hour_since timestamptz NOT NULL,
    hour_starts integer NOT NULL,
    day_since timestamptz NOT NULL,
    day_starts integer NOT NULL,
    wrong_since timestamptz,
    wrong_codes integer NOT NULL DEFAULT 0,
    closed_until timestamptz,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (link_id, subject)
  )`;
const budgetsByExpiry = `CREATE INDEX code_budgets_by_expiry ON code_budgets (expires_at)`;

const kindsOf = (...kinds: string[]) =>
  `ALTER TABLE link_messages DROP CONSTRAINT link_messages_kind_check,
     ADD CONSTRAINT link_messages_kind_check CHECK (kind IN (${kinds.map((kind) => `'${kind}'`).join()}))`;
const messages = [kindsOf('invitation', 'delivery', 'code', 'lockout')];

const formerTables = [
  `DELETE FROM link_messages WHERE kind = 'lockout'`,
  kindsOf('invitation', 'delivery', 'code'),
  `DROP TABLE code_budgets`,
  `DROP INDEX verifications_of_identity`,
  `ALTER TABLE verifications DROP COLUMN identity_mac`,
];
