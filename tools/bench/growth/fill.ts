// Rows as months of use would have left them, by SQL: spent and live Sparks, tombstones, audit entries, the ledger, processed events.
import type { Client } from 'pg';
import { say } from '../report.ts';

/** Rows of one statement. */
const BATCH = 500_000;

/** Rows of each kind. */
export interface Sizes {
  /** Sparks of the last day, and as many tombstones of the months before. */
  spent: number;
  live: number;
  events: number;
}

/**
 * Half of the rows are of this account, the others of 999 that do nothing else.
 * @param database of a superuser, in whose databases the account has created and burned a Spark: its entries are the pattern
 */
export async function fill(database: Client, accountId: string, { spent, live, events }: Sizes) {
  // The chain of the audit log is not verified here, and the trigger that demands one would take longer than the rows.
  await database.query(`SET session_replication_role = replica`);
  await database.query(`SET synchronous_commit = off`);
  await database.query(`SET maintenance_work_mem = '1GB'`);
  await withoutIndexes(database, 'sparks.sparks', async () => {
    await inBatches('spent Sparks', spent, (from, to) => database.query(spentSparks, [accountId, from, to]));
    await inBatches('live Sparks', live, (from, to) => database.query(liveSparks, [accountId, from, to]));
  });
  await withoutIndexes(database, await tombstonesOfThisMonth(database), () =>
    inBatches('tombstones', spent, (from, to) => database.query(tombstones, [accountId, from, to])),
  );
  await withoutIndexes(database, 'reporting.audit_entries', () =>
    inBatches('audit entries', events, (from, to) =>
      database.query(auditEntries, [accountId, from, to, events]),
    ),
  );
  await withoutIndexes(database, 'reporting.ledger', () =>
    inBatches('lines of the ledger', events, (from, to) => database.query(ledger, [accountId, from, to])),
  );
  await withoutIndexes(database, 'reporting.processed', () =>
    inBatches('processed events', events, (from, to) => database.query(processed, [from, to])),
  );
  say('vacuum and checkpoint');
  await database.query(`VACUUM ANALYZE`);
  await database.query(`CHECKPOINT`);
}

/** The oldest partition, which takes those of all months before it too. */
async function tombstonesOfThisMonth(database: Client): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT min(inhrelid::regclass::text) AS name FROM pg_inherits WHERE inhparent = 'sparks.spent_sparks'::regclass`,
  );
  return rows[0]?.name ?? '';
}

/** Ten million random keys are sorted in a minute, and inserted one by one in twenty. */
async function withoutIndexes(database: Client, table: string, insert: () => Promise<void>) {
  const { rows } = await database.query<{ drop: string; create: string }>(
    `SELECT CASE WHEN k.conname IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
                 ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, k.conname) END AS drop,
            CASE WHEN k.conname IS NULL THEN pg_get_indexdef(i.indexrelid)
                 ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) END AS create
       FROM pg_index i LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype IN ('p', 'u')
      WHERE i.indrelid = $1::regclass`,
    [table],
  );
  for (const { drop } of rows) await database.query(drop);
  await insert();
  say(`indexes of ${table}`);
  for (const { create } of rows) await database.query(create);
}

async function inBatches(
  name: string,
  count: number,
  insert: (from: number, to: number) => Promise<unknown>,
) {
  for (let from = 0; from < count; from += BATCH) {
    await insert(from, Math.min(from + BATCH, count));
    say(`${name}: ${Math.min(from + BATCH, count).toLocaleString('en')} of ${count.toLocaleString('en')}`);
  }
}

const ACCOUNT = `CASE WHEN n % 2 = 0 THEN $1::text ELSE 'acc_' || lpad((n % 1998)::text, 22, '0') END`;

/** Ids without an order, as those of the product. */
const ID = (prefix: string, salt: string) => `'${prefix}' || substr(md5('${salt}' || n), 1, 22)`;

/** An id in time order (UUID version 7), as those of events. */
const EVENT_ID = (at: string) =>
  `(lpad(to_hex(floor(extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
     || substr(md5(n::text), 4, 15))::uuid`;

/** Of the last twelve hours: none is due while the benchmark runs. */
const spentSparks = `
  INSERT INTO sparks.sparks (id, account_id, status, content_type, size_bytes, ttl_minutes, created_at, expires_at, due_at, burned_at, kid)
  SELECT ${ID('spk_', 'spent')}, ${ACCOUNT}, 'ash', 'text/plain', 1024, 1440, at, at + interval '1 day', at + interval '1 day',
         at + interval '1 minute', 'k0'
    FROM generate_series($2::int, $3::int - 1) n, LATERAL (SELECT now() - (n % 43200) * interval '1 second' AS at) t`;

/** Of the half year before them. */
const tombstones = `
  INSERT INTO sparks.spent_sparks (id, account_id, has_kindling, is_burned, expires_at)
  SELECT ${ID('spk_', 'tombstone')}, ${ACCOUNT}, false, true, now() - interval '2 days' - (n % 15552000) * interval '1 second'
    FROM generate_series($2::int, $3::int - 1) n`;

const liveSparks = `
  INSERT INTO sparks.sparks (id, account_id, content_type, size_bytes, ttl_minutes, created_at, expires_at, due_at, kid, wrapped_dek, ciphertext)
  SELECT ${ID('spk_', 'live')}, ${ACCOUNT}, 'text/plain', 1024, 1440, at, at + interval '1 day', at + interval '1 day', 'k0',
         decode(repeat(md5(n::text), 3), 'hex'), decode(repeat(md5(n::text), 68), 'hex')
    FROM generate_series($2::int, $3::int - 1) n, LATERAL (SELECT now() - (n % 43200) * interval '1 second' AS at) t`;

/** Of the last 30 days, none old enough for the archive. Each account's chain goes on where it ends; the hashes are those of nothing. */
const auditEntries = `
  WITH pattern AS (
    SELECT event_type, body, salt, actor_id, row_number() OVER () - 1 AS kind
      FROM (SELECT DISTINCT ON (event_type) * FROM reporting.audit_entries
             WHERE account_id = $1 AND event_type IN ('spark_created', 'spark_read')) e),
  made AS (
    SELECT ${ACCOUNT} AS account_id, p.event_type, p.actor_id, n,
           now() - (1 - n::float8 / $4::int) * interval '30 days' AS occurred_at,
           regexp_replace(p.body, 'spk_[A-Za-z0-9_-]+', ${ID('spk_', 'audit')}, 'g') AS body,
           substr(sha256(n::text::bytea), 1, length(p.salt)) AS salt, sha256(n::text::bytea) AS hash
      FROM generate_series($2::int, $3::int - 1) n JOIN pattern p ON p.kind = (n / 2) % 2),
  numbered AS (
    SELECT m.*, coalesce(h.seq, 0) + row_number() OVER (PARTITION BY m.account_id ORDER BY n) AS next
      FROM made m LEFT JOIN reporting.audit_heads h USING (account_id)),
  head AS (
    INSERT INTO reporting.audit_heads (account_id, seq, hash, pseudonym_salt)
    SELECT DISTINCT ON (account_id) account_id, next, hash, hash FROM numbered ORDER BY account_id, next DESC
    ON CONFLICT (account_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash)
  INSERT INTO reporting.audit_entries (account_id, seq, event_type, occurred_at, body, salt, body_hash, hash, actor_id)
  SELECT account_id, next, event_type, occurred_at, body, salt, hash, hash, actor_id FROM numbered ORDER BY n`;

/** Of the days in which entries are not yet rolled up. */
const ledger = `
  INSERT INTO reporting.ledger (account_id, source, event_id, type, storage_bytes, bandwidth_bytes, reference_id, actor_type, created_at)
  SELECT ${ACCOUNT}, 'sparks', ${EVENT_ID('at')}, CASE WHEN n % 4 < 2 THEN 'spark_create' ELSE 'spark_read' END,
         1024, 1024, ${ID('spk_', 'audit')}, 'api_key', at
    FROM generate_series($2::int, $3::int - 1) n, LATERAL (SELECT now() - (n % 2592000) * interval '1 second' AS at) t`;

/** Of the days in which a repeated delivery is recognized. */
const processed = `
  INSERT INTO reporting.processed (event_id, processed_at)
  SELECT ${EVENT_ID('at')}, at
    FROM generate_series($1::int, $2::int - 1) n, LATERAL (SELECT now() - (n % 604800) * interval '1 second' AS at) t`;
