import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import pg from 'pg';
import { sharedServersOfRun } from '../../../../tools/test/servers.ts';

/**
 * Runs SQL in a service's schema as the superuser, who may do what the service may not, and returns the rows: to inspect
 * and back-date them (OPEN-63), and to make statements of the service fail.
 */
export async function rowsOf<Row extends Record<string, unknown>>(
  { context }: RunningService,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { options } = context.get(Database).dataSource;
  const { url = '', schema = '' } = options as { url?: string; schema?: string };
  return (await poolOf(url, schema).query<Row>(text, [...values])).rows;
}

const pools = new Map<string, pg.Pool>();

/** One pool for each database, kept for the whole worker. Idle connections are closed: dropped databases end them. */
function poolOf(serviceUrl: string, schema: string): pg.Pool {
  const known = pools.get(serviceUrl);
  if (known) return known;
  const pool = new pg.Pool({
    connectionString: adminUrlOf(serviceUrl),
    options: `-c search_path=${schema}`,
    idleTimeoutMillis: 1_000,
    allowExitOnIdle: true,
  });
  pool.on('error', () => undefined);
  pools.set(serviceUrl, pool);
  return pool;
}

/** The superuser of the shared PostgreSQL; a spec's own one is entered by its superuser anyway. */
function adminUrlOf(serviceUrl: string): string {
  const [url, shared] = [new URL(serviceUrl), new URL(sharedServersOfRun().postgresUrl)];
  if (url.host === shared.host) [url.username, url.password] = [shared.username, shared.password];
  return url.href;
}
