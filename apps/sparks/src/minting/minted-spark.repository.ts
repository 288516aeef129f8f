import { Injectable } from '@nestjs/common';
import { sparkCreated, type SparkMinting } from '@vaultsvc/contracts/sparks';
import { Database, packByteArrays, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { SealedSpark, SparkIdentity } from '../spark/spark-sealer.js';

export interface SparkToStore extends SparkIdentity, SealedSpark {
  readonly sizeBytes: number;
}

/** Whose they are, who has them minted, and for how long they live unread. */
type Terms = Omit<SparkMinting, 'sparks'>;

/** Stores batches of Sparks: one statement each, with their events. */
@Injectable()
export class MintedSparkRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** When they expire, in epoch seconds. Fails as a whole: an id that is there already leaves none of them. */
  async insert(sparks: readonly SparkToStore[], terms: Terms, requestId: string): Promise<number> {
    const { account_id, ttl_seconds, actor_type, actor_id } = terms;
    const actor = JSON.stringify({ actor_type, actor_id });
    const values = [account_id, ttl_seconds, requestId, actor, ...columnsOf(sparks)];
    const [stored] = await this.database.query<{ expires_at: number }>(insertMany, values);
    this.outbox.wake();
    return (stored as { expires_at: number }).expires_at;
  }
}

function columnsOf(sparks: readonly SparkToStore[]): unknown[] {
  const columns = ['id', 'contentType', 'sizeBytes', 'kid', 'wrappedDek'] as const;
  return [
    ...columns.map((column) => sparks.map((spark) => spark[column])),
    ...packByteArrays(sparks.map(({ ciphertext }) => ciphertext)),
  ];
}

/** `ttl_minutes` is what lists show of it: begun minutes count. `expires_at` decides, to the second. */
const insertMany = statement(
  'sparks.insert-many',
  `WITH made AS (
     INSERT INTO sparks (id, account_id, content_type, size_bytes, ttl_minutes, expires_at, due_at, kid, wrapped_dek, ciphertext)
     SELECT s.id, $1, s.content_type, s.size_bytes, ceil($2::int / 60.0), expiry, expiry, s.kid, s.wrapped_dek,
            substr($12::bytea, s.start, s.length)
       FROM unnest($5::text[], $6::text[], $7::int[], $8::text[], $9::bytea[], $10::int[], $11::int[])
            AS s (id, content_type, size_bytes, kid, wrapped_dek, start, length),
            (SELECT now() + make_interval(secs => $2::int) AS expiry) AS clock
     RETURNING id, size_bytes, expires_at),
   told AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkCreated.name}', $1, $3,
            $4::jsonb || jsonb_build_object('spark_id', id, 'account_id', $1::text, 'size_bytes', size_bytes)
       FROM made)
   SELECT floor(extract(epoch FROM min(expires_at)))::bigint AS expires_at FROM made`,
);
