import { Injectable } from '@nestjs/common';
import { actorOf, type AccountContext } from '@vaultsvc/contracts';
import { sparkCreated } from '@vaultsvc/contracts/sparks';
import { Batcher, Database, epochSeconds, packByteArrays, statement } from '@vaultsvc/database';
import { actedPayload, actorColumns } from './acted-payload.js';
import type { SparkInsert, SparkTimes } from './spark-insert.js';

/** Larger Sparks leave alone: one of them would delay all others of its batch. */
export const BATCHED_BYTES_MAX = 32 * 1_024;

/** Whether a Spark is one row and small, as nearly all are. */
export function isBatchable({ kindling, link, sizeBytes }: SparkInsert): boolean {
  return kindling === null && link === null && sizeBytes <= BATCHED_BYTES_MAX;
}

interface Item {
  readonly spark: SparkInsert;
  readonly context: AccountContext;
}

/** Stores small Sparks without group and link: those of concurrent callers, with their events, in one statement. */
@Injectable()
export class SparkBatches {
  readonly #inserts = new Batcher<Item, SparkTimes>({
    name: 'sparks.insert-batch',
    run: (items) => this.#insert(items),
    bytesOf: ({ spark }) => spark.ciphertext.length,
  });

  constructor(private readonly database: Database) {}

  create(spark: SparkInsert, context: AccountContext): Promise<SparkTimes> {
    return this.#inserts.add({ spark, context }, context.deadlineMs);
  }

  async #insert(items: readonly Item[]): Promise<readonly SparkTimes[]> {
    const rows = await this.database.query<SparkTimes & { id: string }>(insertBatch, columnsOf(items));
    const times = new Map(rows.map(({ id, ...times }) => [id, times]));
    return items.map(({ spark }) => times.get(spark.id) as SparkTimes);
  }
}

function columnsOf(items: readonly Item[]): unknown[] {
  const sparks = items.map(({ spark }) => spark);
  const actors = items.map(({ context }) => actorOf(context));
  const columns = ['id', 'accountId', 'contentType', 'filename', 'sizeBytes', 'ttlMinutes', 'kid'] as const;
  return [
    ...columns.map((column) => sparks.map((spark) => spark[column])),
    items.map(({ context }) => context.requestId),
    ...actorColumns(actors),
    ...packByteArrays(sparks.map(({ wrappedDek }) => wrappedDek)),
    ...packByteArrays(sparks.map(({ ciphertext }) => ciphertext)),
  ];
}

export const insertBatch = statement(
  'sparks.insert-batch',
  `WITH item AS (
     SELECT *, now() + make_interval(mins => ttl_minutes) AS expires_at
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::text[], $8::text[], $9::text[], $10::text[],
                   $11::jsonb[], $12::int[], $13::int[], $15::int[], $16::int[])
            AS i (id, account_id, content_type, filename, size_bytes, ttl_minutes, kid, request_id, actor_type, actor_id, actor,
                  dek_start, dek_length, start, length)),
   created AS (
     INSERT INTO sparks (id, account_id, content_type, filename, size_bytes, ttl_minutes, expires_at, due_at, kid, wrapped_dek, ciphertext)
     SELECT id, account_id, content_type, filename, size_bytes, ttl_minutes, expires_at, expires_at, kid,
            substr($14::bytea, dek_start, dek_length), substr($17::bytea, start, length)
       FROM item
     RETURNING id, created_at, expires_at),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkCreated.name}', account_id, request_id,
            ${actedPayload("'spark_id', id, 'account_id', account_id, 'size_bytes', size_bytes")}
       FROM item)
   SELECT id, ${epochSeconds('created_at')}, ${epochSeconds('expires_at')} FROM created`,
);
