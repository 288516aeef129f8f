/** Hours in which an interaction token may be redeemed (OPEN-64). */
export const TOKEN_HOURS = 24;

/** The placeholders of the terms of `insertPolicies`. */
interface PolicyPlaceholders {
  readonly account: string;
  readonly group: string;
  readonly level: string;
  readonly interaction: string;
  readonly freshness: string;
}

/**
 * SQL that inserts the policy of each row of `source`, which has `link_id`, `code_hash` and `expiry`. It is part of the
 * statement that inserts the links. In the order of ids, as the recall does: the two cannot deadlock. A policy is kept
 * until the interaction token of a reveal in the link's last second has expired.
 */
export function insertPolicies(source: string, terms: PolicyPlaceholders): string {
  const { account, group, level, interaction, freshness } = terms;
  return `
  INSERT INTO link_policies (link_id, account_id, code_hash, purge_at, group_id, verification_level, interaction, freshness_minutes)
  SELECT link_id, ${account}, code_hash, expiry + interval '${TOKEN_HOURS + 1} hours', ${group}::uuid, ${level}, ${interaction}, ${freshness}
    FROM ${source} ORDER BY link_id`;
}
