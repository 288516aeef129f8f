import { createHash } from 'node:crypto';
import { Database, statement } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';

/** Runs SQL in a service's schema and returns the rows, to inspect or back-date them (OPEN-63). */
export function rowsOf<Row extends Record<string, unknown>>(
  { context }: RunningService,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return context.get(Database).query<Row>(statement(nameOf(text), text), values);
}

/** PostgreSQL identifies a prepared statement by the first 63 characters of its name. */
function nameOf(text: string): string {
  return `test.${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
