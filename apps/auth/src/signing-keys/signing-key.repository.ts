import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

export interface SigningKeyRow {
  readonly kid: string;
  readonly public_key: string;
  readonly data_key_id: string;
  readonly sealed: Buffer;
  /** Epoch milliseconds. The key signs from then until its successor does. */
  readonly first_use_at_ms: number;
}

export interface NewSigningKey {
  readonly generation: number;
  readonly kid: string;
  readonly publicKey: string;
  readonly dataKeyId: string;
  readonly sealed: Buffer;
}

/** The keys, oldest first, and the database's time of the read. */
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

  /** The generation of the key that is due, if there is one. */
  async dueGeneration(): Promise<number | undefined> {
    const [row] = await this.database.query<{ generation: number }>(dueGeneration);
    return row?.generation;
  }

  /** Inserts a key unless another instance has inserted one of this generation. */
  async insertIfFirst(key: NewSigningKey): Promise<void> {
    await this.database.query(insertKey, [key.generation, key.kid, key.publicKey, key.dataKeyId, key.sealed]);
  }

  /** Deletes keys whose last tokens have expired. */
  async deleteOutlived(): Promise<void> {
    await this.database.query(deleteOutlived);
  }
}

// Returns the time even if there is no key.
const readKeys = statement(
  'auth.read-signing-keys',
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms,
          k.kid, k.public_key, k.data_key_id, k.sealed,
          (extract(epoch FROM k.first_use_at) * 1000)::bigint AS first_use_at_ms
     FROM (SELECT 1) AS one LEFT JOIN signing_keys k ON true
    ORDER BY k.generation`,
);

// The successor is created and published a day before the newest key retires.
const dueGeneration = statement(
  'auth.due-signing-key',
  `SELECT coalesce(max(generation), 0) + 1 AS generation FROM signing_keys
   HAVING max(retire_at) IS NULL OR max(retire_at) <= clock_timestamp() + interval '24 hours'`,
);

// The very first key signs at once: no verifier can have cached a set without it. Each later key waits until every verifier
// has read it (twice the 5 minutes for which the response may be cached), even if it was created late.
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
