import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How visitors of links prove their identity: one-time codes, and passkeys (OPEN-64) with the challenges that they sign. */
export class CreateVerifications1770000000003 implements MigrationInterface {
  readonly name = 'CreateVerifications1770000000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...verifications, codeBudgets, budgetsByExpiry, passkeys, ...challenges])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE passkey_challenges, passkeys, code_budgets, verifications`);
  }
}

/**
 * One row for each requested code. `code_mac` is keyed: a plain hash of six digits could be reversed from a dump. `identity_mac`
 * finds the codes of an identity. `method` is how the identity was proved.
 */
const verifications = [
  `CREATE TABLE verifications (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     link_id uuid NOT NULL REFERENCES sparklinks ON DELETE CASCADE,
     kid text NOT NULL,
     sealed_identity bytea NOT NULL,
     code_mac bytea,
     tries_left integer NOT NULL DEFAULT 5 CHECK (tries_left >= 0),
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL,
     token_lookup bytea UNIQUE,
     token_expires_at timestamptz,
     identity_mac bytea,
     method text NOT NULL DEFAULT 'code' CHECK (method IN ('code', 'passkey')),
     CONSTRAINT token_is_whole CHECK ((token_lookup IS NULL) = (token_expires_at IS NULL))
   )`,
  `CREATE INDEX verifications_of_link ON verifications (link_id, created_at)`,
  `CREATE INDEX verifications_of_identity ON verifications (link_id, identity_mac, created_at)`,
  `CREATE INDEX verifications_by_expiry ON verifications (expires_at)`,
];

/**
 * The codes requested and the wrong codes entered for one identity at one link, or from one address (OPEN-25). The subject is a MAC,
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

/** One passkey for each identity and account. The identity is a MAC: a dump shows nobody's address. */
const passkeys = `
  CREATE TABLE passkeys (
    account_id text COLLATE "C" NOT NULL,
    identity_mac bytea NOT NULL,
    credential_id bytea NOT NULL UNIQUE,
    public_key bytea NOT NULL,
    counter bigint NOT NULL CHECK (counter >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz,
    PRIMARY KEY (account_id, identity_mac)
  )`;

/** The statement that consumes a challenge deletes its row. */
const challenges = [
  `CREATE TABLE passkey_challenges (
     lookup bytea PRIMARY KEY,
     link_id uuid NOT NULL REFERENCES sparklinks ON DELETE CASCADE,
     type text NOT NULL CHECK (type IN ('authentication', 'registration')),
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX passkey_challenges_of_link ON passkey_challenges (link_id)`,
  `CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at)`,
];
