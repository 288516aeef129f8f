import { type Queryable, statement, type Statement } from './statement.js';

/** Days for which a used or expired token is distinguished from an unknown one (OPEN-50). */
const REMEMBERED_DAYS = 30;

/**
 * Statements for `runInBatches` that clean up expired tokens in a table with `lookup`, `wrapped_key` and `expires_at`: the
 * wrapped key is erased at once, the row is deleted after 30 days. Any number of instances may run them.
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

/** Rows of one statement of a job: few enough that its locks delay no request. */
const BATCH_MAX = 500;

/**
 * Runs a statement in batches until no row is left. Its last parameter is the maximum number of rows, and it returns one
 * row for each that it changed.
 */
export async function runInBatches(
  db: Queryable,
  step: Statement,
  values: readonly unknown[] = [],
): Promise<void> {
  while ((await db.query(step, [...values, BATCH_MAX])).length === BATCH_MAX);
}
