import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the passkeys of recipients (OPEN-64), and the challenges that they sign. */
export class CreatePasskeys1766820000000 implements MigrationInterface {
  readonly name = 'CreatePasskeys1766820000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [passkeys, ...challenges]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE passkey_challenges, passkeys`);
  }
}

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
