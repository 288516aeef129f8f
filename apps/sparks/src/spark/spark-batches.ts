import { Injectable } from '@nestjs/common';
import { actorOf, type AccountContext } from '@vaultsvc/contracts';
import { sparkCreated } from '@vaultsvc/contracts/sparks';
import { Batcher, Database, epochSeconds, namedStatement, packByteArrays } from '@vaultsvc/database';
import type { SparkInsert, SparkTimes } from './spark-insert.js';
import { actedPayload, actorColumns, BATCHED_BYTES_MAX, CREATION_MEMBERS } from './burning/spark-sql.js';

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
    const rows = await this.database.query<SparkTimes & { id: string }>(
      insertBatch,
      insertBatch.valuesOf(columnsOf(items)),
    );
    const times = new Map(rows.map(({ id, ...times }) => [id, times]));
    return items.map(({ spark }) => times.get(spark.id) as SparkTimes);
  }
}

function columnsOf(items: readonly Item[]) {
  const sparks = items.map(({ spark }) => spark);
  const [dekStarts, dekLengths, wrappedDeks] = packByteArrays(sparks.map(({ wrappedDek }) => wrappedDek));
  const [starts, lengths, ciphertexts] = packByteArrays(sparks.map(({ ciphertext }) => ciphertext));
  return {
    ids: sparks.map(({ id }) => id),
    accountIds: sparks.map(({ accountId }) => accountId),
    contentTypes: sparks.map(({ contentType }) => contentType),
    filenames: sparks.map(({ filename }) => filename),
    labels: sparks.map(({ label }) => label),
    sizes: sparks.map(({ sizeBytes }) => sizeBytes),
    ttls: sparks.map(({ ttlMinutes }) => ttlMinutes),
    kids: sparks.map(({ kid }) => kid),
    requestIds: items.map(({ context }) => context.requestId),
    ...actorColumns(items.map(({ context }) => actorOf(context))),
    dekStarts,
    dekLengths,
    wrappedDeks,
    starts,
    lengths,
    ciphertexts,
  };
}

export const insertBatch = namedStatement<ReturnType<typeof columnsOf>>(
  'sparks.insert-batch',
  (v) => `
   WITH item AS (
     SELECT *, now() + make_interval(mins => ttl_minutes) AS expires_at
       FROM unnest(${v.ids}::text[], ${v.accountIds}::text[], ${v.contentTypes}::text[], ${v.filenames}::text[], ${v.labels}::text[], ${v.sizes}::int[],
                   ${v.ttls}::int[], ${v.kids}::text[], ${v.requestIds}::text[], ${v.actorTypes}::text[], ${v.actorIds}::text[],
                   ${v.actors}::jsonb[], ${v.dekStarts}::int[], ${v.dekLengths}::int[], ${v.starts}::int[], ${v.lengths}::int[])
            AS i (id, account_id, content_type, filename, label, size_bytes, ttl_minutes, kid, request_id, actor_type, actor_id, actor,
                  dek_start, dek_length, start, length)),
   created AS (
     INSERT INTO sparks (id, account_id, content_type, filename, label, creator_id, creator, size_bytes, ttl_minutes, expires_at, due_at, kid,
                         wrapped_dek, ciphertext)
     SELECT id, account_id, content_type, filename, label, actor_id, actor, size_bytes, ttl_minutes, expires_at, expires_at, kid,
            substr(${v.wrappedDeks}::bytea, dek_start, dek_length), substr(${v.ciphertexts}::bytea, start, length)
       FROM item
     RETURNING id, created_at, expires_at),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkCreated.name}', account_id, request_id,
            ${actedPayload(`${CREATION_MEMBERS}, 'label', label`)}
       FROM item)
   SELECT id, ${epochSeconds('created_at')}, ${epochSeconds('expires_at')} FROM created`,
);
