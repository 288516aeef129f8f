import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys behind durable shares and one-time links of ingots. Sparks stores the links themselves. */
export class CreateSharing1764510000000 implements MigrationInterface {
  readonly name = 'CreateSharing1764510000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...shareKeys, ...shares, ...linkKeys]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE link_keys, ingot_shares`);
    await runner.query(`ALTER TABLE ingot_versions DROP COLUMN shared_key`);
    await runner.query(`DROP INDEX dvaks_sharing`);
  }
}

/** The share key of a vault is a system key: KMS wraps it, and no token of it exists (DVK-13). */
const shareKeys = [
  `CREATE UNIQUE INDEX dvaks_sharing ON dvaks (vault_id) WHERE status = 'active' AND system_purpose = 'sharing'`,
];

/**
 * One durable link per ingot. All versions of a shared ingot, the pending one too, store their key wrapped with the share
 * key, so that the link opens whichever version is the content.
 */
const shares = [
  `CREATE TABLE ingot_shares (
     ingot_id text COLLATE "C" PRIMARY KEY REFERENCES ingots ON DELETE CASCADE,
     vault_id text COLLATE "C" NOT NULL,
     account_id text COLLATE "C" NOT NULL,
     link_id uuid NOT NULL UNIQUE,
     key_id text COLLATE "C" NOT NULL REFERENCES dvaks,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX ingot_shares_of_vault ON ingot_shares (vault_id)`,
  `CREATE INDEX ingot_shares_of_key ON ingot_shares (key_id)`,
  `ALTER TABLE ingot_versions ADD COLUMN shared_key bytea`,
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
