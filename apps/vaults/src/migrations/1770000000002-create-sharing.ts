import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys behind durable shares and one-time links of ingots. Sparks stores the links themselves. */
export class CreateSharing1770000000002 implements MigrationInterface {
  readonly name = 'CreateSharing1770000000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...shares, ...linkKeys]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE link_keys, ingot_shares`);
  }
}

/**
 * One durable link per ingot. `is_linked`: the event of the share's link was consumed. A share without a link is inaccessible,
 * and a job ends it.
 */
const shares = [
  `CREATE TABLE ingot_shares (
     ingot_id text COLLATE "C" PRIMARY KEY REFERENCES ingots ON DELETE CASCADE,
     vault_id text COLLATE "C" NOT NULL,
     account_id text COLLATE "C" NOT NULL,
     link_id uuid NOT NULL UNIQUE,
     key_id text COLLATE "C" NOT NULL REFERENCES dvaks,
     created_at timestamptz NOT NULL DEFAULT now(),
     is_linked boolean NOT NULL DEFAULT false
   )`,
  `CREATE INDEX ingot_shares_of_vault ON ingot_shares (vault_id)`,
  `CREATE INDEX ingot_shares_of_key ON ingot_shares (key_id)`,
  `CREATE INDEX ingot_shares_unlinked ON ingot_shares (created_at) WHERE NOT is_linked`,
];

/**
 * One row per one-time link, which opens the content at its creation even after a replacement. Only the code of the link
 * unwraps the key, and vaults does not store the code.
 */
const linkKeys = [
  `CREATE TABLE link_keys (
     link_id uuid PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     vault_id text COLLATE "C" NOT NULL,
     ingot_id text COLLATE "C" NOT NULL REFERENCES ingots ON DELETE CASCADE,
     version_id text COLLATE "C" NOT NULL,
     name text NOT NULL,
     size_bytes bigint NOT NULL,
     content_type text NOT NULL,
     wrapped_key bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX link_keys_of_vault ON link_keys (vault_id)`,
  `CREATE INDEX link_keys_of_ingot ON link_keys (ingot_id)`,
  `CREATE INDEX link_keys_of_version ON link_keys (version_id, expires_at)`,
  `CREATE INDEX link_keys_by_expiry ON link_keys (expires_at)`,
];
