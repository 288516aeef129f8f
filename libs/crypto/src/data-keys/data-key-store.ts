/** A row of `data_keys`: a data key wrapped by KMS. */
export interface StoredDataKey {
  readonly purpose: string;
  readonly kid: string;
  readonly wrapped: Buffer;
  /** When the key may no longer be used and its row is deleted; null: never. */
  readonly destroyAfter: Date | null;
}

/** A row, and the time of the database when it was read. */
export interface FoundDataKey {
  readonly row: StoredDataKey | undefined;
  readonly now: Date;
}

/** Runs one statement and returns its rows, for example `(text, values) => dataSource.query(text, values)`. */
export type RunQuery = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * The table of wrapped data keys, for the first migration of a service.
 *
 * A deleted row stays in its page until VACUUM. Deletion destroys a key, so autovacuum starts after 500 dead rows instead of
 * a fifth of the table.
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

/** Reverts `CREATE_DATA_KEYS_SQL`. */
export const DROP_DATA_KEYS_SQL = 'DROP TABLE data_keys';

// The left join returns one row even without a key, because the caller needs the time.
const FIND_SQL = `
  SELECT clock_timestamp() AS now, k.purpose, k.kid, k.wrapped, k.destroy_after
    FROM (SELECT 1) AS one LEFT JOIN data_keys k ON k.purpose = $1 AND k.kid = $2`;

const INSERT_SQL = `
  INSERT INTO data_keys (purpose, kid, wrapped, destroy_after) VALUES ($1, $2, $3, $4)
  ON CONFLICT (purpose, kid) DO NOTHING RETURNING kid`;

const DESTROY_SQL = `
  WITH destroyed AS (DELETE FROM data_keys WHERE destroy_after <= clock_timestamp() RETURNING 1)
  SELECT count(*)::int AS count FROM destroyed`;

/** The wrapped data keys of a service, in the table `data_keys` of its schema. */
export class DataKeyStore {
  constructor(private readonly query: RunQuery) {}

  /** The row of a key, if it exists. */
  async find(purpose: string, kid: string): Promise<FoundDataKey> {
    const found = (await this.query(FIND_SQL, [purpose, kid])) as unknown as FoundColumns[];
    const [columns] = found;
    if (!columns) throw new Error('The query for a data key returned no row');
    return { now: columns.now, row: columns.kid === null ? undefined : rowOf(columns) };
  }

  /** Inserts a row. Returns false, and changes nothing, if the purpose and kid have one. */
  async insertIfAbsent({ purpose, kid, wrapped, destroyAfter }: StoredDataKey): Promise<boolean> {
    return (await this.query(INSERT_SQL, [purpose, kid, wrapped, destroyAfter])).length === 1;
  }

  /** The time of the database, which determines the current period. */
  async now(): Promise<Date> {
    const [row] = await this.query('SELECT clock_timestamp() AS now', []);
    return row?.now as Date;
  }

  /** Deletes expired keys and returns their number. Their ciphertexts can never be decrypted again. Run by a job. */
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

function rowOf(columns: FoundColumns): StoredDataKey {
  const { purpose, kid, wrapped, destroy_after: destroyAfter } = columns;
  return { purpose, kid: kid ?? '', wrapped, destroyAfter };
}
