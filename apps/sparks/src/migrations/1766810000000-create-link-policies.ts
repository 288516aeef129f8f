import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the policies of grants (NTF-08, NTF-11), and how an identity was proved. */
export class CreateLinkPolicies1766810000000 implements MigrationInterface {
  readonly name = 'CreateLinkPolicies1766810000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [linkPolicies, ...indexes, verifications]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE verifications DROP COLUMN method`);
    await runner.query(`DROP TABLE link_policies`);
  }
}

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

const indexes = [
  `CREATE INDEX link_policies_of_group ON link_policies (group_id) WHERE group_id IS NOT NULL`,
  `CREATE INDEX link_policies_by_purge ON link_policies (purge_at)`,
];

/** The column has a default, so that instances of the previous release can insert. */
const verifications = `
  ALTER TABLE verifications ADD COLUMN method text NOT NULL DEFAULT 'code' CHECK (method IN ('code', 'passkey'))`;
