import { statement, type Queryable, type Statement } from '@vaultsvc/database';

export interface KeyRow {
  readonly kid: string;
  readonly public_key: string;
  /** null with `sealed`. */
  readonly data_key_id: string | null;
  /** null once the private part is destroyed. */
  readonly sealed: Buffer | null;
  /** Epoch milliseconds. The key signs from then until its successor does. */
  readonly first_use_at_ms: number;
}

export interface NewKey {
  readonly generation: number;
  readonly kid: string;
  readonly publicKey: string;
  readonly dataKeyId: string;
  readonly sealed: Buffer;
}

/** The keys, oldest first, and the database's time of the read. */
export interface ReadKeys {
  readonly nowMs: number;
  readonly keys: readonly KeyRow[];
}

/** The keys of one purpose, which have a table of their own. */
export class KeyRepository {
  constructor(
    private readonly database: Queryable,
    private readonly statements: KeyStatements,
  ) {}

  async read(): Promise<ReadKeys> {
    const rows = await this.database.query<(KeyRow | { kid: null }) & { now_ms: number }>(
      this.statements.read,
    );
    return { nowMs: rows[0]?.now_ms ?? 0, keys: rows.filter((row) => row.kid !== null) };
  }

  /** The generation of the key that is due, if there is one. */
  async dueGeneration(): Promise<number | undefined> {
    const [row] = await this.database.query<{ generation: number }>(this.statements.due);
    return row?.generation;
  }

  /** Inserts a key unless another instance has inserted one of this generation. */
  async insertIfFirst({ generation, kid, publicKey, dataKeyId, sealed }: NewKey): Promise<void> {
    await this.database.query(this.statements.insert, [generation, kid, publicKey, dataKeyId, sealed]);
  }

  /** Destroys the private parts of keys whose successor has been signing for 75 minutes. */
  async destroyOutlived(): Promise<void> {
    await this.database.query(this.statements.destroyOutlived);
  }
}

export interface KeyStatements {
  readonly read: Statement;
  readonly due: Statement;
  readonly insert: Statement;
  readonly destroyOutlived: Statement;
}

/** The statements on `signing_keys` or `receipt_keys`. `destroy` begins the one on outlived rows `k`. */
export function keyStatements(purpose: 'signing' | 'receipt', destroy: string): KeyStatements {
  const table = `${purpose}_keys`;
  return {
    // Returns the time even if there is no key.
    read: statement(
      `auth.read-${purpose}-keys`,
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms,
              k.kid, k.public_key, k.data_key_id, k.sealed,
              (extract(epoch FROM k.first_use_at) * 1000)::bigint AS first_use_at_ms
         FROM (SELECT 1) AS one LEFT JOIN ${table} k ON true
        ORDER BY k.generation`,
    ),
    // The successor is created and published a day before the newest key retires.
    due: statement(
      `auth.due-${purpose}-key`,
      `SELECT coalesce(max(generation), 0) + 1 AS generation FROM ${table}
       HAVING max(retire_at) IS NULL OR max(retire_at) <= clock_timestamp() + interval '24 hours'`,
    ),
    // The very first key signs at once: no verifier of tokens can have cached a set without it, and a receipt can be verified
    // later. Each later key waits until every verifier has read it (twice the 5 minutes for which the response may be cached),
    // even if it was created late.
    insert: statement(
      `auth.insert-${purpose}-key`,
      `INSERT INTO ${table} (generation, kid, public_key, data_key_id, sealed, first_use_at, retire_at)
       SELECT $1::int, $2, $3, $4, $5, start, start + interval '720 hours'
         FROM (SELECT CASE WHEN max(retire_at) IS NULL THEN clock_timestamp()
                           ELSE greatest(max(retire_at), clock_timestamp() + interval '10 minutes') END AS start
                 FROM ${table} WHERE generation < $1::int) AS successor
       ON CONFLICT (generation) DO NOTHING`,
    ),
    // A key signs until its successor's first use. Tokens live an hour; 15 minutes more cover every clock and cache.
    destroyOutlived: statement(
      `auth.destroy-outlived-${purpose}-keys`,
      `${destroy}
         AND EXISTS (SELECT 1 FROM ${table} successor
                      WHERE successor.generation > k.generation
                        AND successor.first_use_at < clock_timestamp() - interval '75 minutes')`,
    ),
  };
}
