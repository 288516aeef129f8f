// The bytes that PostgreSQL writes to its log, of all databases of the cluster.
import type { Client } from 'pg';

/** @returns the position of the write-ahead log in bytes */
export async function walPosition(database: Client): Promise<bigint> {
  const { rows } = await database.query<{ position: string }>({
    name: 'wal',
    text: `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS position`,
  });
  return BigInt(rows[0]?.position ?? 0);
}
