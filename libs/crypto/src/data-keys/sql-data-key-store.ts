import type { DataKeyRow, DataKeyStore, FoundDataKey } from './data-key-store.js';

/** Runs one statement and gives its rows, as in `(text, values) => dataSource.query(text, values)`. */
export type RunQuery = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * The table of wrapped data keys, for a service's first migration.
 *
 * A deleted row lies in its page until VACUUM; the settings make VACUUM come after 500 rows instead of a fifth of the
 * table, because here deletion is destruction.
 */
export const CREATE_DATA_KEYS_SQL = `
  CREATE TABLE data_keys (
    purpose text NOT NULL,
    kid text NOT NULL,
    wrapped bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    destroy_after timestamptz,
    PRIMARY KEY (purpose, kid)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500)`;

export const DROP_DATA_KEYS_SQL = 'DROP TABLE data_keys';

// One row always comes back, so that the time comes along when the key does not exist.
const FIND_SQL = `
  SELECT clock_timestamp() AS now, k.purpose, k.kid, k.wrapped, k.destroy_after
    FROM (SELECT 1) AS one LEFT JOIN data_keys k ON k.purpose = $1 AND k.kid = $2`;

const INSERT_SQL = `
  INSERT INTO data_keys (purpose, kid, wrapped, destroy_after) VALUES ($1, $2, $3, $4)
  ON CONFLICT (purpose, kid) DO NOTHING RETURNING kid`;

const DESTROY_SQL = `
  WITH destroyed AS (DELETE FROM data_keys WHERE destroy_after <= clock_timestamp() RETURNING 1)
  SELECT count(*)::int AS count FROM destroyed`;

/** Data keys in the PostgreSQL table `data_keys` of the calling service's schema. */
export class SqlDataKeyStore implements DataKeyStore {
  constructor(private readonly query: RunQuery) {}

  async find(purpose: string, kid: string): Promise<FoundDataKey> {
    const found = (await this.query(FIND_SQL, [purpose, kid])) as unknown as FoundColumns[];
    const [columns] = found;
    if (!columns) throw new Error('The search for a data key gave no row');
    return { now: columns.now, row: columns.kid === null ? undefined : rowOf(columns) };
  }

  async insertIfAbsent({ purpose, kid, wrapped, destroyAfter }: DataKeyRow): Promise<boolean> {
    return (await this.query(INSERT_SQL, [purpose, kid, wrapped, destroyAfter])).length === 1;
  }

  async now(): Promise<Date> {
    const [row] = await this.query('SELECT clock_timestamp() AS now', []);
    return row?.now as Date;
  }

  /** Deletes the keys whose time has passed and tells how many. A job runs it; what they sealed is gone with them. */
  async destroyExpired(): Promise<number> {
    const [row] = await this.query(DESTROY_SQL, []);
    return row?.count as number;
  }
}

interface FoundColumns {
  readonly now: Date;
  readonly purpose: string;
  readonly kid: string | null;
  readonly wrapped: Buffer;
  readonly destroy_after: Date | null;
}

function rowOf(columns: FoundColumns): DataKeyRow {
  const { purpose, kid, wrapped, destroy_after: destroyAfter } = columns;
  return { purpose, kid: kid ?? '', wrapped, destroyAfter };
}
