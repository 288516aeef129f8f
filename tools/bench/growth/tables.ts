// What PostgreSQL counts about the large tables.
import type { Client } from 'pg';

interface Reads {
  /** Sequential scans. */
  scans: number;
  /** Rows that they read, and entries that scans of indexes returned: a plan that reads too much shows here. */
  rows: number;
}

/** Since the statistics began, by `schema.table`. */
export async function readsOf(database: Client): Promise<ReadonlyMap<string, Reads>> {
  // Sessions report their counters when they are idle for a second.
  await database.query(`SELECT pg_sleep(1.5), pg_stat_clear_snapshot()`);
  const { rows } = await database.query<{ name: string; scans: string; rows: string }>(
    `SELECT schemaname || '.' || t.relname AS name, t.seq_scan AS scans, t.seq_tup_read + coalesce(i.entries, 0) AS rows
       FROM pg_stat_user_tables t
       LEFT JOIN (SELECT relid, sum(idx_tup_read) AS entries FROM pg_stat_user_indexes GROUP BY relid) i USING (relid)`,
  );
  return new Map(rows.map(({ name, scans, rows }) => [name, { scans: Number(scans), rows: Number(rows) }]));
}

/** The reads between two counts. */
export function readsBetween(
  before: ReadonlyMap<string, Reads>,
  after: ReadonlyMap<string, Reads>,
): ReadonlyMap<string, Reads> {
  const none = { scans: 0, rows: 0 };
  const difference = (name: string, { scans, rows }: Reads) => {
    const earlier = before.get(name) ?? none;
    return { scans: scans - earlier.scans, rows: rows - earlier.rows };
  };
  return new Map([...after].map(([name, reads]) => [name, difference(name, reads)]));
}

interface Vacuum {
  name: string;
  dead: number;
  mebibytes: number;
  indexMebibytes: number;
  milliseconds: number;
}

/** Vacuums the five largest tables. */
export async function vacuumOf(database: Client): Promise<Vacuum[]> {
  const { rows } = await database.query<{ name: string; dead: string; bytes: string; index_bytes: string }>(
    `SELECT schemaname || '.' || relname AS name, n_dead_tup AS dead, pg_total_relation_size(relid) AS bytes, pg_indexes_size(relid) AS index_bytes
       FROM pg_stat_user_tables ORDER BY bytes DESC LIMIT 5`,
  );
  const vacuums: Vacuum[] = [];
  for (const { name, dead, bytes, index_bytes: indexBytes } of rows) {
    const startedAt = performance.now();
    await database.query(`VACUUM (ANALYZE) ${name}`);
    vacuums.push({
      name,
      dead: Number(dead),
      mebibytes: Number(bytes) / 2 ** 20,
      indexMebibytes: Number(indexBytes) / 2 ** 20,
      milliseconds: performance.now() - startedAt,
    });
  }
  return vacuums;
}
