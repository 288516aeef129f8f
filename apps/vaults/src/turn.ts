/**
 * Turns at a vault, taken by the statement that first locks its row. PostgreSQL lets whoever would share the lock of a row
 * join those who share it already, past everybody who waits to have the row alone: while tokens are in use without a
 * pause a seal, or the revocation of the key that somebody has stolen, would wait until it is given up. Advisory locks
 * queue. They end with the transaction; the row's own lock stays what decides.
 *
 * Only who has found the vault takes a turn at it: others may know its id, and would keep its account waiting.
 */

// What structured ingots claim has the seed 0.
const lockOf = (id: string) => `hashtextextended(${id}, 1)`;

/** For FROM, next to `vaults`: a turn, with others, at each of the rows that are found. */
export const SHARED_TURN = `LATERAL (SELECT pg_advisory_xact_lock_shared(${lockOf('vaults.id')})::text OFFSET 0) AS turn`;

/** For FROM: turns alone, in the order of ids, so that nobody waits in a circle. Takes a query of vaults' ids. */
export const turns = (ids: string) => `
  (SELECT count(pg_advisory_xact_lock(${lockOf('id')})) FROM (${ids} ORDER BY 1) AS wanted (id)) AS turn`;

/** For FROM: a turn alone at the vault $1 of the account $2, to change it or to end its tokens. */
export const OWN_TURN = turns('SELECT id FROM vaults WHERE id = $1 AND account_id = $2');
