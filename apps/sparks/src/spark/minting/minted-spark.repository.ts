import { Injectable } from '@nestjs/common';
import { pickActor } from '@vaultsvc/contracts';
import { sparkCreated, type SparkMinting } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, namedStatement, packByteArrays } from '@vaultsvc/database';
import { CREATOR_COLUMNS, creatorOfActor } from '../../creators/creator-sql.js';
import type { SparkIdentity } from '../sealing/spark-key.js';
import type { SealedSpark } from '../sealing/spark-sealer.js';
import { CREATION_MEMBERS } from '../burning/spark-sql.js';

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
    const [starts, lengths, ciphertexts] = packByteArrays(sparks.map(({ ciphertext }) => ciphertext));
    const values = insertMany.valuesOf({
      accountId: terms.account_id,
      ttlSeconds: terms.ttl_seconds,
      requestId,
      actor: JSON.stringify(pickActor(terms)),
      ids: sparks.map(({ id }) => id),
      contentTypes: sparks.map(({ contentType }) => contentType),
      sizes: sparks.map(({ sizeBytes }) => sizeBytes),
      kids: sparks.map(({ kid }) => kid),
      wrappedDeks: sparks.map(({ wrappedDek }) => wrappedDek),
      starts,
      lengths,
      ciphertexts,
    });
    const [stored] = await this.database.query<{ expires_at: number }>(insertMany, values);
    return (stored as { expires_at: number }).expires_at;
  }
}

/** The Sparks by column; their ciphertexts are packed. */
interface MintedSparksInsert {
  readonly accountId: string;
  readonly ttlSeconds: number;
  readonly requestId: string;
  /** JSON. */
  readonly actor: string;
  readonly ids: readonly string[];
  readonly contentTypes: readonly string[];
  readonly sizes: readonly number[];
  readonly kids: readonly string[];
  readonly wrappedDeks: readonly Buffer[];
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
  readonly ciphertexts: Buffer;
}

/** Lists show `ttl_minutes`, rounded up; `expires_at` decides, to the second. */
const insertMany = namedStatement<MintedSparksInsert>(
  'sparks.insert-many',
  (v) => `
   WITH created AS (
     INSERT INTO sparks (id, account_id, content_type, ${CREATOR_COLUMNS}, size_bytes, ttl_minutes, expires_at, due_at, kid, wrapped_dek, ciphertext)
     SELECT s.id, ${v.accountId}, s.content_type, ${creatorOfActor(v.actor)}, s.size_bytes, ceil(${v.ttlSeconds}::int / 60.0), expiry, expiry, s.kid, s.wrapped_dek,
            substr(${v.ciphertexts}::bytea, s.start, s.length)
       FROM unnest(${v.ids}::text[], ${v.contentTypes}::text[], ${v.sizes}::int[], ${v.kids}::text[], ${v.wrappedDeks}::bytea[],
                   ${v.starts}::int[], ${v.lengths}::int[])
            AS s (id, content_type, size_bytes, kid, wrapped_dek, start, length),
            (SELECT now() + make_interval(secs => ${v.ttlSeconds}::int) AS expiry) AS clock
     RETURNING id, account_id, size_bytes, expires_at),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkCreated.name}', account_id, ${v.requestId}, ${v.actor}::jsonb || jsonb_build_object(${CREATION_MEMBERS})
       FROM created)
   SELECT ${epochSeconds('min(expires_at)', 'expires_at')} FROM created`,
);
