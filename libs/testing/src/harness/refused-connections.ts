import type pg from 'pg';
import { eventually } from '../waiting/index.js';
import type { TestSchema } from '../servers/index.js';

const databaseOf = ({ databaseUrl }: TestSchema) => new URL(databaseUrl).pathname.slice(1);

/**
 * Ends the connections of a service to its database.
 * @param admin a connection of the superuser
 */
export async function endConnections(admin: pg.Client, schema: TestSchema): Promise<void> {
  const ended = await admin.query<{ pid: number }>(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = $2`,
    [databaseOf(schema), new URL(schema.databaseUrl).username],
  );
  const left = `SELECT 1 FROM pg_stat_activity WHERE pid = ANY($1)`;
  const pids = ended.rows.map(({ pid }) => pid);
  await eventually(
    async () => (await admin.query(left, [pids])).rowCount,
    (count) => count === 0,
  );
}

/** Ends the connections of a service, whose database then refuses new ones. */
export async function refuseConnections(admin: pg.Client, schema: TestSchema): Promise<void> {
  // Not NOLOGIN: services of other spec files have the same role.
  await admin.query(`ALTER DATABASE ${databaseOf(schema)} CONNECTION LIMIT 0`);
  await endConnections(admin, schema);
}

export async function allowConnections(admin: pg.Client, schema: TestSchema): Promise<void> {
  await admin.query(`ALTER DATABASE ${databaseOf(schema)} CONNECTION LIMIT -1`);
}
