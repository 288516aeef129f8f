import type { Queryable, Statement } from './database.js';

/** Rows that a job takes in one statement: few enough that nobody waits long for what it locks. */
const BATCH_MAX = 500;

/** Runs a statement until nothing is left for it. Its last parameter is how many rows it may take; it gives one for each. */
export async function inBatches(
  db: Queryable,
  step: Statement,
  values: readonly unknown[] = [],
): Promise<void> {
  while ((await db.query(step, [...values, BATCH_MAX])).length === BATCH_MAX);
}
