import { Injectable } from '@nestjs/common';
import { pickActor } from '@vaultsvc/contracts';
import { sparkCreated, type SparkMinting } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, packByteArrays, statement } from '@vaultsvc/database';
import type { SparkIdentity } from '../sealing/spark-key.js';
import type { SealedSpark } from '../sealing/spark-sealer.js';

export interface NewMintedSpark extends SparkIdentity, SealedSpark {
  readonly sizeBytes: number;
}

/** The account, the actor and the time to live of a batch. */
type BatchTerms = Omit<SparkMinting, 'sparks'>;

/** Stores batches of Sparks, each batch with its events in one statement. */
@Injectable()
export class MintedSparkRepository {
  constructor(private readonly database: Database) {}

  /** Returns the expiry in epoch seconds. An id that exists already fails the whole batch. */
  async insert(sparks: readonly NewMintedSpark[], terms: BatchTerms, requestId: string): Promise<number> {
    const { account_id, ttl_seconds } = terms;
    const actor = JSON.stringify(pickActor(terms));
    const values = [account_id, ttl_seconds, requestId, actor, ...columnsOf(sparks)];
    const [stored] = await this.database.query<{ expires_at: number }>(insertMany, values);
    return (stored as { expires_at: number }).expires_at;
  }
}

function columnsOf(sparks: readonly NewMintedSpark[]): unknown[] {
  const columns = ['id', 'contentType', 'sizeBytes', 'kid', 'wrappedDek'] as const;
  return [
    ...columns.map((column) => sparks.map((spark) => spark[column])),
    ...packByteArrays(sparks.map(({ ciphertext }) => ciphertext)),
  ];
}

/** Lists show `ttl_minutes`, rounded up; `expires_at` decides, to the second. */
const insertMany = statement(
  'sparks.insert-many',
  `WITH created AS (
     INSERT INTO sparks (id, account_id, content_type, size_bytes, ttl_minutes, expires_at, due_at, kid, wrapped_dek, ciphertext)
     SELECT s.id, $1, s.content_type, s.size_bytes, ceil($2::int / 60.0), expiry, expiry, s.kid, s.wrapped_dek,
            substr($12::bytea, s.start, s.length)
       FROM unnest($5::text[], $6::text[], $7::int[], $8::text[], $9::bytea[], $10::int[], $11::int[])
            AS s (id, content_type, size_bytes, kid, wrapped_dek, start, length),
            (SELECT now() + make_interval(secs => $2::int) AS expiry) AS clock
     RETURNING id, size_bytes, expires_at),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkCreated.name}', $1, $3,
            $4::jsonb || jsonb_build_object('spark_id', id, 'account_id', $1::text, 'size_bytes', size_bytes)
       FROM created)
   SELECT ${epochSeconds('min(expires_at)', 'expires_at')} FROM created`,
);
