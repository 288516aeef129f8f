/**
 * Turns at a vault or a delegated key, taken by the statement that first locks its row. PostgreSQL lets whoever would
 * share the lock of a row join those who share it already, past everybody who waits to have the row alone: while tokens
 * are in use without a pause a seal, or the revocation of the key that somebody has stolen, would wait until it is given
 * up. Advisory locks queue. They end with the transaction; the row's own lock stays what decides.
 */

// What structured ingots claim has the seed 0.
const lockOf = (id: string) => `hashtextextended(${id}, 1)`;

/** For FROM: a turn next to others who keep it as it is. Takes the SQL of an id; of null there is no turn to take. */
export const sharedTurn = (id: string) =>
  `LATERAL (SELECT pg_advisory_xact_lock_shared(${lockOf(id)})::text OFFSET 0) AS turn`;

/** For FROM: a turn alone, to change it or to end its tokens. Takes the SQL of an id. */
export const turn = (id: string) => turns(`SELECT ${id}`);

/** For FROM: turns alone, in the order of ids, so that nobody waits in a circle. Takes a query of ids. */
export const turns = (ids: string) => `
  (SELECT count(pg_advisory_xact_lock(${lockOf('id')})) FROM (${ids} ORDER BY 1) AS wanted (id)) AS turn`;
