// The usage of one account over a year, as the events would have recorded it: ledger, summaries and counters, by SQL.
import type { Client } from 'pg';

const SECONDS_OF_YEAR = 365 * 86_400;
/** Rows of one statement. */
const BATCH = 500_000;
/** As LEDGER_DETAIL_DAYS: older entries are rolled up. */
const DETAIL_DAYS = 35;

/**
 * Inserts events of the account, the newest first, at the rate at which `whole` events fill a year.
 * @param database of a superuser
 * @param history events `from` to `to`, counted back from now
 */
export async function insertHistory(
  database: Client,
  { accountId, whole, from, to }: { accountId: string; whole: number; from: number; to: number },
) {
  const step = SECONDS_OF_YEAR / whole;
  for (let first = from; first < to; first += BATCH) {
    const last = Math.min(first + BATCH, to);
    await database.query(entries, [accountId, first, last, step]);
  }
  for (const statement of [archive, summarize, count, addUp]) await database.query(statement, [accountId]);
  await database.query(`VACUUM ANALYZE reporting.ledger, reporting.ledger_aggregated, reporting.ledger_summaries,
    reporting.usage_by_hour, reporting.usage_totals`);
}

/** One event in 20,000 is the creation of a vault, the rare type. */
const entries = `
  INSERT INTO reporting.ledger (account_id, source, event_id, type, storage_bytes, bandwidth_bytes, reference_id, actor_type, created_at)
  SELECT $1, 'sparks',
         (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
           || '8' || substr(md5(n::text), 4, 15))::uuid,
         type, CASE WHEN type LIKE 'spark%' THEN 1024 END, CASE WHEN type LIKE 'spark%' THEN 1024 END,
         'spk_' || substr(md5(n::text), 1, 22), 'api_key', at
    FROM generate_series($2::int, $3::int - 1) n,
         LATERAL (SELECT now() - make_interval(secs => n * $4::float8) AS at,
                         CASE WHEN n % 20000 = 9999 THEN 'vault_create' WHEN n % 20 < 9 THEN 'spark_create'
                              WHEN n % 20 < 17 THEN 'spark_read' ELSE 'vault_seal' END AS type) event
   ORDER BY n DESC`;

const archive = `
  WITH moved AS (DELETE FROM reporting.ledger WHERE account_id = $1 AND created_at < now() - interval '${DETAIL_DAYS} days' RETURNING *)
  INSERT INTO reporting.ledger_aggregated SELECT * FROM moved`;

const summarize = `
  INSERT INTO reporting.ledger_summaries (account_id, summary_id, type, storage_bytes, bandwidth_bytes, operations, created_at)
  SELECT $1, (lpad(to_hex(floor(extract(epoch FROM day) * 1000)::bigint), 12, '0') || '8' || substr(md5(type), 1, 3)
           || '8' || substr(md5(type), 4, 15))::uuid,
         type, sum(storage_bytes), sum(bandwidth_bytes), count(*) FILTER (WHERE storage_bytes IS NULL), day
    FROM reporting.ledger_aggregated, LATERAL (SELECT date_trunc('day', created_at, 'UTC') AS day) d
   WHERE account_id = $1 GROUP BY type, day
  ON CONFLICT (account_id, summary_id) DO UPDATE SET storage_bytes = excluded.storage_bytes,
    bandwidth_bytes = excluded.bandwidth_bytes, operations = excluded.operations`;

const count = `
  INSERT INTO reporting.usage_by_hour
  SELECT $1, floor(extract(epoch FROM created_at) / 3600)::int, count(*), count(*) FILTER (WHERE type = 'spark_create'), 0, 0
    FROM (SELECT * FROM reporting.ledger UNION ALL SELECT * FROM reporting.ledger_aggregated) entries
   WHERE account_id = $1 GROUP BY 2
  ON CONFLICT (account_id, hour) DO UPDATE SET operations = excluded.operations, sparks_created = excluded.sparks_created`;

const addUp = `
  INSERT INTO reporting.usage_totals
  SELECT $1, coalesce(sum(sparks_created), 0), 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM reporting.usage_by_hour WHERE account_id = $1
  ON CONFLICT (account_id) DO UPDATE SET sparks_created = excluded.sparks_created`;

/**
 * Inserts ingots with content into a vault.
 * @param database of a superuser
 */
export async function insertIngots(
  database: Client,
  { accountId, vaultId, count: ingots }: { accountId: string; vaultId: string; count: number },
) {
  await database.query(
    `INSERT INTO vaults.ingots (id, vault_id, account_id, name, folded_name, file_type, content_type, size_bytes, status, current_version)
     SELECT 'ing_' || substr(md5(n::text), 1, 22), $1, $2, 'file ' || n, 'file ' || n, 'txt', 'text/plain', n * 1024, 'active', 'ver_' || n
       FROM generate_series(1, $3::int) n`,
    [vaultId, accountId, ingots],
  );
  await database.query(`VACUUM ANALYZE vaults.ingots`);
}
