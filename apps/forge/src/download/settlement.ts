import { bytesSent } from '@vaultsvc/contracts/forge';

interface Settlement {
  /** A statement that deletes rows of `downloads` and returns their `lookup`, `bytes`, `bytes_moved` and `bytes_sent`. */
  readonly ended: string;
  /** More columns that change in `istks i`, each followed by a comma. */
  readonly changes?: string;
  readonly requestId: string;
}

/** The row of a settlement. */
export interface Settled {
  readonly downloads: number;
  readonly events: number;
}

/** Whether a settlement has published: it has no event for downloads without a byte. */
export const hasEvents = ([settled]: readonly Settled[]) => settled !== undefined && settled.events > 0;

/**
 * SQL that ends downloads: their unsent bytes are returned to the cap of their ISTK, and an event for each ISTK publishes
 * the sent ones. Returns one row, with the number of ended downloads and of events. Rows of `istks` are locked in one
 * order, so that concurrent statements cannot deadlock.
 */
export function settlement({ ended, changes = '', requestId }: Settlement): string {
  return `
  WITH ended AS (${ended}),
  totals AS (
    SELECT lookup, sum(bytes - bytes_moved)::bigint AS uncounted, sum(bytes_moved - bytes_sent)::bigint AS unsent,
           sum(bytes_sent)::bigint AS sent
      FROM ended GROUP BY lookup),
  locked AS (SELECT lookup FROM istks WHERE lookup IN (SELECT lookup FROM totals) ORDER BY lookup FOR UPDATE),
  settled AS (
    UPDATE istks i SET ${changes} bytes_reserved = i.bytes_reserved - totals.uncounted,
           bytes_moved = i.bytes_moved - totals.unsent, bytes_told = i.bytes_told + totals.sent
      FROM totals JOIN locked USING (lookup) WHERE i.lookup = totals.lookup
    RETURNING i.account_id, i.vault_id, i.ingot_id, i.version_id, totals.sent AS bytes,
              CASE WHEN i.bytes_told = totals.sent THEN 1 ELSE 0 END AS downloads),
  event AS (
    INSERT INTO outbox (name, account_id, request_id, payload)
    SELECT '${bytesSent.name}', account_id, ${requestId}, to_jsonb(settled) FROM settled WHERE bytes > 0
    RETURNING name)
  SELECT (SELECT count(*)::int FROM ended) AS downloads, (SELECT count(*)::int FROM event) AS events`;
}
