// The size of all databases of a stack.
import pg from 'pg';

/**
 * @param connectionString of the superuser
 * @returns bytes on disk of all databases, indexes and TOAST included
 */
export async function databaseBytes(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('CHECKPOINT');
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT sum(pg_database_size(oid))::text AS bytes FROM pg_database',
    );
    return Number(rows[0]?.bytes);
  } finally {
    await client.end();
  }
}
