import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';

/** The generic plan of a prepared statement, which PostgreSQL may choose from the sixth use on, for any values. */
export async function genericPlanOf({ context }: RunningService, text: string): Promise<string> {
  const connection = await context.get(Database).connect();
  try {
    await connection.query(`SET plan_cache_mode = force_generic_plan`);
    await connection.query(`PREPARE probed AS ${text}`);
    const values = Array.from({ length: parametersOf(text) }, () => 'NULL');
    const call = values.length === 0 ? 'probed' : `probed (${values.join()})`;
    const { rows } = await connection.query<Record<string, string>>(`EXPLAIN (COSTS OFF) EXECUTE ${call}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    connection.release(true);
  }
}

function parametersOf(text: string): number {
  return Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
}
