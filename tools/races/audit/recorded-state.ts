import type { Delivery } from '@vaultsvc/contracts';
import pg from 'pg';
import { COUNTERS, type Counter } from './counter-deviations.js';

/** The records of the databases of a stack at one moment. */
export interface RecordedState {
  /** The events of all services that stand. */
  readonly events: readonly Delivery[];
  /** Events that wait in an outbox, and erasures that are due. */
  readonly waiting: number;
  readonly deadLetters: number;
  /** In the order of accounts and numbers. */
  readonly entries: readonly RecordedEntry[];
  readonly heads: readonly RecordedHead[];
  readonly ledger: readonly LedgerLine[];
  readonly pools: readonly RecordedPools[];
  readonly counters: readonly Counter[];
  /** Rows of other services, each of which its service created together with one event of this name. */
  readonly rows: readonly CreatedRow[];
}

export interface RecordedEntry {
  readonly accountId: string;
  readonly seq: number;
  readonly type: string;
  readonly at: number;
  readonly appId: string | null;
  readonly body: string | null;
  readonly salt: Buffer | null;
  readonly bodyHash: Buffer;
  readonly hash: Buffer;
}

export interface RecordedHead {
  readonly accountId: string;
  readonly seq: number;
  readonly hash: Buffer;
}

export interface LedgerLine {
  readonly accountId: string;
  readonly eventId: string;
  readonly resource: string;
  readonly quantity: number;
}

export interface RecordedPools {
  readonly accountId: string;
  readonly storageUsed: number;
  readonly bandwidthUsed: number;
  readonly seatsUsed: number;
  /** Bytes that sparks and vaults store. */
  readonly stored: number;
  /** Users who have joined or are invited. */
  readonly users: number;
}

export interface CreatedRow {
  readonly event: string;
  /** The field of the payload with the id. */
  readonly field: string;
  readonly id: string;
}

const PUBLISHERS = ['auth', 'sparks', 'vaults', 'forge', 'notify', 'integrations', 'reporting'];

/** Keeps sent events that reconcilers would delete 15 minutes after their sending, so that a race of any length can compare them. */
export async function keepSentEvents(pool: pg.Pool): Promise<void> {
  for (const service of PUBLISHERS)
    await pool.query(`CREATE RULE keep AS ON DELETE TO ${service}.sent_batches DO INSTEAD NOTHING`);
}

/** Reads all of it in one snapshot of the database. */
export async function readRecordedState(pool: pg.Pool): Promise<RecordedState> {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    const state = await readAll(client);
    await client.query(`COMMIT`);
    return state;
  } finally {
    client.release();
  }
}

async function readAll(client: pg.PoolClient): Promise<RecordedState> {
  const rows = async <T>(text: string) => (await client.query(text)).rows as T[];
  const [counts] = await rows<Pick<RecordedState, 'waiting' | 'deadLetters'>>(COUNTS);
  return {
    ...(counts as Pick<RecordedState, 'waiting' | 'deadLetters'>), // the statement returns one row
    events: await rows(EVENTS),
    entries: await rows(ENTRIES),
    heads: await rows(`SELECT account_id AS "accountId", seq::int, hash FROM reporting.audit_heads`),
    ledger: await rows(LEDGER),
    pools: await rows(POOLS),
    counters: await rows(COUNTERS),
    rows: await rows(CREATED_ROWS),
  };
}

const sumOf = (table: string, where = 'true') =>
  `(${PUBLISHERS.map((service) => `(SELECT count(*) FROM ${service}.${table} WHERE ${where})`).join(' + ')})`;

const COUNTS = `
  SELECT (${sumOf('outbox')} + (SELECT count(*) FROM reporting.audit_erasures WHERE erased_at IS NULL)
          + (SELECT count(*) FROM vaults.vaults WHERE status = 'deleting')
          + (SELECT count(*) FROM sparks.sparks WHERE due_at <= now()))::int AS waiting,
         ${sumOf('dead_letters')}::int AS "deadLetters"`;

const EVENTS = PUBLISHERS.map(
  (service) => `
    SELECT id, name, account_id AS "accountId", request_id AS "requestId", payload,
           (extract(epoch FROM occurred_at) * 1000)::bigint::float8 AS "occurredAtMs"
      FROM ${service}.recorded_events`,
).join(' UNION ALL ');

const ENTRIES = `
  SELECT account_id AS "accountId", seq::int, event_type AS type, app_id AS "appId", body, salt, body_hash AS "bodyHash", hash,
         (extract(epoch FROM occurred_at) * 1000)::bigint::float8 AS at
    FROM reporting.audit_entries ORDER BY account_id, reporting.audit_entries.seq`;

const LEDGER = `
  SELECT account_id AS "accountId", event_id AS "eventId", resource, quantity::float8 AS quantity
    FROM reporting.ledger_lines`;

const POOLS = `
  SELECT account_id AS "accountId", storage_used::float8 AS "storageUsed", bandwidth_used::float8 AS "bandwidthUsed",
         identity_used::int AS "seatsUsed",
         (SELECT coalesce(sum(size_bytes), 0) FROM sparks.sparks s
           WHERE s.account_id = p.account_id AND wrapped_dek IS NOT NULL)::float8
         + (SELECT coalesce(sum(storage_bytes), 0) FROM vaults.vaults v WHERE v.account_id = p.account_id)::float8 AS stored,
         (SELECT count(*) FROM auth.users u WHERE u.account_id = p.account_id AND u.status <> 'removed')::int AS users
    FROM reporting.pools p`;

/** Table, condition, event and field of rows whose change is visible apart from its event. */
const CREATED_ROWS = [
  ['auth.accounts', 'true', 'auth.account-created', 'account_id'],
  ['auth.users', 'true', 'auth.user-added', 'user_id'],
  ['auth.users', `status = 'removed'`, 'auth.user-removed', 'user_id'],
  ['auth.api_keys', 'true', 'auth.api-key-created', 'api_key_id'],
  ['auth.api_keys', 'revoked_at IS NOT NULL', 'auth.api-key-revoked', 'api_key_id'],
  ['auth.families', 'account_id IS NOT NULL', 'auth.session-opened', 'session_id'],
  ['sparks.sparks', 'true', 'sparks.created', 'spark_id'],
  ['sparks.sparklinks', 'true', 'sparks.sparklink-created', 'link_id'],
  ['vaults.vaults', 'true', 'vaults.created', 'vault_id'],
  ['vaults.dvaks', 'true', 'vaults.dvak-created', 'dvak_id'],
  ['vaults.folders', 'true', 'vaults.folder-created', 'folder_id'],
  ['vaults.ingots', 'managed_by IS NULL', 'vaults.ingot-created', 'ingot_id'],
  ['vaults.structured_ingots', 'true', 'vaults.structured-created', 'ingot_id', 'ingot_id'],
]
  .map(
    ([table, where, event, field, id = 'id']) =>
      `SELECT '${event}' AS event, '${field}' AS field, ${id}::text AS id FROM ${table} WHERE ${where}`,
  )
  .join(' UNION ALL ');
