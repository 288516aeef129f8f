import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds links of ingots, invites, messages to people, and the verification of visitors. */
export class ExtendLinks1764500000000 implements MigrationInterface {
  readonly name = 'ExtendLinks1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...sparklinks, ...invites, ...messages, ...verifications]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE verifications, link_messages, invites`);
    for (const text of formerLinks) await runner.query(text);
  }
}

/**
 * The managed link of an asset is the one that sharing creates and changes; one-time links of ingots are not managed
 * (AMB-09). A revoked link stays beside its successor (AMB-36). `verify_starts` counts the codes of the hour from
 * `verify_since` (OPEN-25). `verified_by`, the last verified identity, is sealed like all identities.
 */
const sparklinks = [
  `ALTER TABLE sparklinks RENAME COLUMN spark_id TO asset_id`,
  `ALTER TABLE sparklinks DROP CONSTRAINT sparklinks_spark_id_key`,
  `ALTER TABLE sparklinks
     ALTER COLUMN asset_id SET NOT NULL,
     ALTER COLUMN expires_at DROP NOT NULL,
     ADD COLUMN vault_id text COLLATE "C",
     ADD COLUMN is_managed boolean NOT NULL DEFAULT true,
     ADD COLUMN domain text NOT NULL DEFAULT 'link' CHECK (domain IN ('link', 'files')),
     ADD COLUMN session_length integer,
     ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
     ADD COLUMN consumed_at timestamptz,
     ADD COLUMN revoked_at timestamptz,
     ADD COLUMN verified_kid text,
     ADD COLUMN verified_by bytea,
     ADD COLUMN verified_at timestamptz,
     ADD COLUMN verify_starts integer NOT NULL DEFAULT 0,
     ADD COLUMN verify_since timestamptz,
     ADD CONSTRAINT ingot_link_has_vault CHECK ((link_type = 'ingot') = (vault_id IS NOT NULL)),
     ADD CONSTRAINT durable_link_has_no_end CHECK ((domain = 'files') = (expires_at IS NULL)),
     ADD CONSTRAINT durable_link_is_not_consumed CHECK (domain = 'link' OR status <> 'consumed'),
     ADD CONSTRAINT consumption_is_dated CHECK ((status = 'consumed') = (consumed_at IS NOT NULL)),
     ADD CONSTRAINT revocation_is_dated CHECK ((status = 'revoked') = (revoked_at IS NOT NULL)),
     ADD CONSTRAINT verification_is_whole CHECK (num_nonnulls(verified_kid, verified_by, verified_at) IN (0, 3))`,
  `CREATE UNIQUE INDEX sparklinks_managed ON sparklinks (asset_id) WHERE is_managed AND status <> 'revoked'`,
  `CREATE INDEX sparklinks_of_asset ON sparklinks (asset_id)`,
  `CREATE INDEX sparklinks_of_account ON sparklinks (account_id, created_at, id)`,
  `CREATE INDEX sparklinks_of_vault ON sparklinks (vault_id) WHERE vault_id IS NOT NULL`,
  `CREATE INDEX sparklinks_by_expiry ON sparklinks (expires_at)`,
];

const formerLinks = [
  `DELETE FROM sparklinks WHERE link_type = 'ingot' OR status = 'revoked'`,
  `DROP INDEX sparklinks_managed, sparklinks_of_asset, sparklinks_of_account, sparklinks_of_vault, sparklinks_by_expiry`,
  `ALTER TABLE sparklinks
     DROP COLUMN vault_id, DROP COLUMN is_managed, DROP COLUMN domain, DROP COLUMN session_length,
     DROP COLUMN updated_at, DROP COLUMN consumed_at, DROP COLUMN revoked_at, DROP COLUMN verified_kid,
     DROP COLUMN verified_by, DROP COLUMN verified_at, DROP COLUMN verify_starts, DROP COLUMN verify_since,
     ALTER COLUMN expires_at SET NOT NULL, ALTER COLUMN asset_id DROP NOT NULL`,
  `ALTER TABLE sparklinks RENAME COLUMN asset_id TO spark_id`,
  `ALTER TABLE sparklinks ADD CONSTRAINT sparklinks_spark_id_key UNIQUE (spark_id)`,
];

/** The invited identities of a link, sealed: a dump reveals none. */
const invites = [
  `CREATE TABLE invites (
     id text COLLATE "C" PRIMARY KEY,
     link_id uuid NOT NULL REFERENCES sparklinks ON DELETE CASCADE,
     kid text NOT NULL,
     sealed_identity bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX invites_of_link ON invites (link_id, created_at, id)`,
];

/** The messages that notify reads when it sends: the recipient and, for a code, the digits. Deleted after they expire. */
const messages = [
  `CREATE TABLE link_messages (
     id uuid PRIMARY KEY,
     link_id uuid NOT NULL REFERENCES sparklinks ON DELETE CASCADE,
     kind text NOT NULL CHECK (kind IN ('invitation', 'delivery', 'code')),
     kid text NOT NULL,
     sealed bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX link_messages_of_link ON link_messages (link_id)`,
  `CREATE INDEX link_messages_by_expiry ON link_messages (expires_at)`,
];

/** One row for each requested code. `code_mac` is keyed: a plain hash of six digits could be reversed from a dump. */
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
     CONSTRAINT token_is_whole CHECK ((token_lookup IS NULL) = (token_expires_at IS NULL))
   )`,
  `CREATE INDEX verifications_of_link ON verifications (link_id, created_at)`,
  `CREATE INDEX verifications_by_expiry ON verifications (expires_at)`,
];
