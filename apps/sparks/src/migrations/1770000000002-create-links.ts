import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links, the policies of grants among them (NTF-08, NTF-11), invites, and messages to people. */
export class CreateLinks1770000000002 implements MigrationInterface {
  readonly name = 'CreateLinks1770000000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [
      ...sparklinks,
      linkPolicies,
      ...policyIndexes,
      ...invites,
      ...messages,
      messageCounts,
    ])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE message_counts, link_messages, invites, link_policies, sparklinks`);
  }
}

/**
 * A code is looked up by its hash and shown from its sealed copy; it is never stored in clear. The managed link of an asset is
 * the one that sharing creates and changes; one-time links of ingots are not managed (AMB-09). A revoked link stays beside its
 * successor (AMB-36). `verified_by`, the last verified identity, is sealed like all identities. Links are purged by the time of
 * their end.
 */
const sparklinks = [
  `CREATE TABLE sparklinks (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     code_hash bytea NOT NULL UNIQUE,
     asset_id text COLLATE "C" NOT NULL,
     account_id text COLLATE "C" NOT NULL,
     link_type text NOT NULL CHECK (link_type IN ('spark', 'ingot')),
     visibility text NOT NULL CHECK (visibility IN ('public', 'authenticated', 'invite_only')),
     status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'consumed', 'revoked')),
     bound_ip inet,
     kid text NOT NULL,
     sealed_code bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz,
     vault_id text COLLATE "C",
     is_managed boolean NOT NULL DEFAULT true,
     domain text NOT NULL DEFAULT 'link' CHECK (domain IN ('link', 'files')),
     session_length integer,
     updated_at timestamptz NOT NULL DEFAULT now(),
     consumed_at timestamptz,
     revoked_at timestamptz,
     verified_kid text,
     verified_by bytea,
     verified_at timestamptz,
     verify_starts integer NOT NULL DEFAULT 0,
     verify_since timestamptz,
     CONSTRAINT ingot_link_has_vault CHECK ((link_type = 'ingot') = (vault_id IS NOT NULL)),
     CONSTRAINT durable_link_has_no_end CHECK ((domain = 'files') = (expires_at IS NULL)),
     CONSTRAINT durable_link_is_not_consumed CHECK (domain = 'link' OR status <> 'consumed'),
     CONSTRAINT consumption_is_dated CHECK ((status = 'consumed') = (consumed_at IS NOT NULL)),
     CONSTRAINT revocation_is_dated CHECK ((status = 'revoked') = (revoked_at IS NOT NULL)),
     CONSTRAINT verification_is_whole CHECK (num_nonnulls(verified_kid, verified_by, verified_at) IN (0, 3))
   )`,
  `CREATE UNIQUE INDEX sparklinks_managed ON sparklinks (asset_id) WHERE is_managed AND status <> 'revoked'`,
  `CREATE INDEX sparklinks_of_asset ON sparklinks (asset_id)`,
  `CREATE INDEX sparklinks_of_account ON sparklinks (account_id, created_at, id)`,
  `CREATE INDEX sparklinks_of_vault ON sparklinks (vault_id) WHERE vault_id IS NOT NULL`,
  `CREATE INDEX sparklinks_by_end ON sparklinks (link_type, least(consumed_at, revoked_at, expires_at))`,
];

/**
 * One row for each grant: a link with terms of its own. Links without a row open as before. There is no foreign key to
 * `sparklinks`, because a row outlives its link: an interaction token is redeemed for a day after the link was consumed. A
 * row with `recalled_at` alone is of a grant that was recalled before it was minted: its primary key refuses the minting.
 */
const linkPolicies = `
  CREATE TABLE link_policies (
    link_id uuid PRIMARY KEY,
    account_id text COLLATE "C" NOT NULL,
    purge_at timestamptz NOT NULL,
    recalled_at timestamptz,
    code_hash bytea UNIQUE,
    group_id uuid,
    verification_level text CHECK (verification_level IN ('none', 'identifier', 'passkey', 'out_of_band', 'dual_control')),
    interaction text CHECK (interaction IN ('view', 'acknowledge', 'sign', 'approve', 'reply')),
    freshness_minutes integer CHECK (freshness_minutes > 0),
    visited_at timestamptz,
    revealed_at timestamptz,
    token_lookup bytea,
    token_expires_at timestamptz,
    kid text,
    sealed_reveal bytea,
    CONSTRAINT policy_is_whole
      CHECK (num_nonnulls(code_hash, group_id, verification_level, interaction) = CASE WHEN recalled_at IS NULL THEN 4 ELSE 0 END),
    CONSTRAINT reveal_is_whole
      CHECK (num_nonnulls(revealed_at, token_lookup, token_expires_at, kid, sealed_reveal) IN (0, 5))
  )`;

const policyIndexes = [
  `CREATE INDEX link_policies_of_group ON link_policies (group_id) WHERE group_id IS NOT NULL`,
  `CREATE INDEX link_policies_by_purge ON link_policies (purge_at)`,
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
     kind text NOT NULL CHECK (kind IN ('invitation', 'delivery', 'code', 'lockout')),
     kid text NOT NULL,
     sealed bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX link_messages_of_link ON link_messages (link_id)`,
  `CREATE INDEX link_messages_by_expiry ON link_messages (expires_at)`,
];

/** Each account's messages per hour. The key starts with the hour, by which the counts are purged. */
const messageCounts = `
  CREATE TABLE message_counts (
    hour timestamptz NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    channel text NOT NULL CHECK (channel IN ('email', 'phone', 'other')),
    count integer NOT NULL CHECK (count > 0),
    PRIMARY KEY (hour, account_id, channel)
  )`;
