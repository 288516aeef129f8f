import { createHash } from 'node:crypto';
import { Database, statement } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';

/** Runs SQL in the schema of a running service and gives the rows: to look at them and to back-date them (OPEN-63). */
export function rowsOf<Row extends Record<string, unknown>>(
  { context }: RunningService,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return context.get(Database).query<Row>(statement(nameOf(text), text), values);
}

/** PostgreSQL knows a prepared statement by its name alone, and looks at 63 characters of it. */
function nameOf(text: string): string {
  return `test.${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
