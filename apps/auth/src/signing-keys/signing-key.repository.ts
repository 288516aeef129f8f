import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

export interface SigningKeyRow {
  readonly kid: string;
  readonly public_key: string;
  readonly data_key_id: string;
  readonly sealed: Buffer;
  /** Epoch milliseconds. The key signs from then until another one does. */
  readonly first_use_at_ms: number;
}

export interface NewSigningKey {
  readonly generation: number;
  readonly kid: string;
  readonly publicKey: string;
  readonly dataKeyId: string;
  readonly sealed: Buffer;
}

/** The keys, oldest first, and the database's time at which they were read. */
export interface ReadSigningKeys {
  readonly nowMs: number;
  readonly keys: readonly SigningKeyRow[];
}

@Injectable()
export class SigningKeyRepository {
  constructor(private readonly database: Database) {}

  async read(): Promise<ReadSigningKeys> {
    const rows = await this.database.query<(SigningKeyRow | { kid: null }) & { now_ms: number }>(readKeys);
    return { nowMs: rows[0]?.now_ms ?? 0, keys: rows.filter((row) => row.kid !== null) };
  }

  /** The number of the key that has to be made now, if one has. */
  async dueGeneration(): Promise<number | undefined> {
    const [row] = await this.database.query<{ generation: number }>(dueGeneration);
    return row?.generation;
  }

  /** Keeps a key unless another copy has made the one of this generation. */
  async insertIfFirst(key: NewSigningKey): Promise<void> {
    await this.database.query(insertKey, [key.generation, key.kid, key.publicKey, key.dataKeyId, key.sealed]);
  }

  /** Deletes the keys whose last tokens have expired, and with them the private parts. */
  async deleteOutlived(): Promise<void> {
    await this.database.query(deleteOutlived);
  }
}

// The time comes back even when there is no key.
const readKeys = statement(
  'auth.read-signing-keys',
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms,
          k.kid, k.public_key, k.data_key_id, k.sealed,
          (extract(epoch FROM k.first_use_at) * 1000)::bigint AS first_use_at_ms
     FROM (SELECT 1) AS one LEFT JOIN signing_keys k ON true
    ORDER BY k.generation`,
);

// A day before the newest key retires its successor is made, and published from then on.
const dueGeneration = statement(
  'auth.due-signing-key',
  `SELECT coalesce(max(generation), 0) + 1 AS generation FROM signing_keys
   HAVING max(retire_at) IS NULL OR max(retire_at) <= clock_timestamp() + interval '24 hours'`,
);

// The very first key signs at once: nobody can have cached a set without it. Each later one waits until every
// verifier has read it (the answer may be kept 5 minutes; twice that), even if it was made late.
const insertKey = statement(
  'auth.insert-signing-key',
  `INSERT INTO signing_keys (generation, kid, public_key, data_key_id, sealed, first_use_at, retire_at)
   SELECT $1::int, $2, $3, $4, $5, start, start + interval '720 hours'
     FROM (SELECT CASE WHEN max(retire_at) IS NULL THEN clock_timestamp()
                       ELSE greatest(max(retire_at), clock_timestamp() + interval '10 minutes') END AS start
             FROM signing_keys WHERE generation < $1::int) AS successor
   ON CONFLICT (generation) DO NOTHING`,
);

// A key signs until its successor's first use. Tokens live an hour; 15 minutes more cover every clock and cache.
const deleteOutlived = statement(
  'auth.delete-outlived-signing-keys',
  `DELETE FROM signing_keys k
    WHERE EXISTS (SELECT 1 FROM signing_keys successor
                   WHERE successor.generation > k.generation
                     AND successor.first_use_at < clock_timestamp() - interval '75 minutes')`,
);
