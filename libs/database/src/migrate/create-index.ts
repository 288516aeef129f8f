import type { QueryRunner } from 'typeorm';

/** An index of a table. */
export interface TableIndex {
  readonly name: string;
  readonly unique?: boolean;
  readonly definition: string;
}

/**
 * Creates an index without blocking writes where there are rows; an interrupted attempt leaves an invalid one, which the next
 * attempt replaces. For migrations with `transaction = false`.
 */
export async function createIndex(
  runner: QueryRunner,
  table: string,
  { name, unique = false, definition }: TableIndex,
): Promise<void> {
  const [found] = (await runner.query(
    `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)`,
    [name],
  )) as { isValid: boolean }[];
  if (found?.isValid) return;
  if (found) await runner.query(`DROP INDEX ${name}`);
  const [filled] = (await runner.query(`SELECT 1 FROM ${table} LIMIT 1`)) as unknown[];
  const concurrently = filled ? 'CONCURRENTLY' : '';
  await runner.query(
    `CREATE ${unique ? 'UNIQUE' : ''} INDEX ${concurrently} ${name} ON ${table} ${definition}`,
  );
}
