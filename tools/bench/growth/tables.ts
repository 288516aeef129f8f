// What PostgreSQL counts about the large tables.
import type { Client } from 'pg';

interface Scans {
  /** Sequential scans since the statistics began. */
  scans: number;
  dead: number;
}

/** By `schema.table`. */
export async function scansOf(database: Client): Promise<ReadonlyMap<string, Scans>> {
  // Sessions report their counters when they are idle for a second.
  await database.query(`SELECT pg_sleep(1.5), pg_stat_clear_snapshot()`);
  const { rows } = await database.query<{ name: string; scans: string; dead: string }>(
    `SELECT schemaname || '.' || relname AS name, seq_scan AS scans, n_dead_tup AS dead FROM pg_stat_user_tables`,
  );
  return new Map(rows.map(({ name, scans, dead }) => [name, { scans: Number(scans), dead: Number(dead) }]));
}

interface Vacuum {
  name: string;
  mebibytes: number;
  indexMebibytes: number;
  milliseconds: number;
}

/** Vacuums the five largest tables. */
export async function vacuumOf(database: Client): Promise<Vacuum[]> {
  const { rows } = await database.query<{ name: string; bytes: string; index_bytes: string }>(
    `SELECT schemaname || '.' || relname AS name, pg_total_relation_size(relid) AS bytes, pg_indexes_size(relid) AS index_bytes
       FROM pg_stat_user_tables ORDER BY bytes DESC LIMIT 5`,
  );
  const vacuums: Vacuum[] = [];
  for (const { name, bytes, index_bytes: indexBytes } of rows) {
    const startedAt = performance.now();
    await database.query(`VACUUM (ANALYZE) ${name}`);
    vacuums.push({
      name,
      mebibytes: Number(bytes) / 2 ** 20,
      indexMebibytes: Number(indexBytes) / 2 ** 20,
      milliseconds: performance.now() - startedAt,
    });
  }
  return vacuums;
}
