import { type Queryable, statement, type Statement } from './database.js';

/** Days for which a token that was used or has expired is told from an unknown one (OPEN-50). */
const REMEMBERED_DAYS = 30;

/**
 * The life of expired tokens in a table with `lookup`, `wrapped_key` and `expires_at`, as steps for `inBatches`: what
 * they wrap is wiped at once, they are forgotten after 30 days. Any number of copies may do so.
 */
export function expiredTokenSteps(table: string): readonly Statement[] {
  const batch = (due: string) =>
    `lookup IN (SELECT lookup FROM ${table} WHERE ${due} ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING 1`;
  const old = `expires_at <= now() - interval '${REMEMBERED_DAYS} days'`;
  return [
    statement(
      `${table}.wipe-expired`,
      `UPDATE ${table} SET wrapped_key = NULL WHERE ${batch('wrapped_key IS NOT NULL AND expires_at <= now()')}`,
    ),
    statement(`${table}.forget-expired`, `DELETE FROM ${table} WHERE ${batch(old)}`),
  ];
}

/** Rows that a job takes in one statement: few enough that nobody waits long for what it locks. */
const BATCH_MAX = 500;

/** Runs a statement until nothing is left for it. Its last parameter is how many rows it may take; it gives one for each. */
export async function runInBatches(
  db: Queryable,
  step: Statement,
  values: readonly unknown[] = [],
): Promise<void> {
  while ((await db.query(step, [...values, BATCH_MAX])).length === BATCH_MAX);
}
