import { Injectable } from '@nestjs/common';
import { actorOf, AppError, type AccountContext } from '@vaultsvc/contracts';
import { sparkCreated, sparklinkCreated } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import { insertLinkEvents, LINK_EVENT_COLUMNS } from '../link/link-events-sql.js';
import type { SparkInsert, SparkTimes } from './spark-insert.js';
import { isBatchable, SparkBatches } from './spark-batches.js';

/** Stores a new Spark with its event, its group and its link in one statement. */
@Injectable()
export class SparkRepository {
  constructor(
    private readonly database: Database,
    private readonly batches: SparkBatches,
  ) {}

  /** Throws KINDLING_NOT_FOUND, and stores nothing, when the group to join does not exist. */
  async create(spark: SparkInsert, context: AccountContext): Promise<SparkTimes> {
    if (isBatchable(spark)) return this.batches.create(spark, context);
    const payload = JSON.stringify(payloadOf(spark, context));
    const link = [spark.startsKindling, ...linkValues(spark), JSON.stringify(actorOf(context))];
    const values = [...sparkValues(spark), context.requestId, payload, ...link];
    const [times] = await this.database.query<SparkTimes>(insertSpark, values);
    if (!times) throw new AppError('KINDLING_NOT_FOUND');
    return times;
  }

  async hasKindling(kindling: string): Promise<boolean> {
    return (await this.database.query(findKindling, [kindling])).length === 1;
  }
}

function sparkValues(spark: SparkInsert): unknown[] {
  const {
    id,
    accountId,
    kindling,
    contentType,
    filename,
    sizeBytes,
    ttlMinutes,
    kid,
    wrappedDek,
    ciphertext,
  } = spark;
  return [id, accountId, kindling, contentType, filename, sizeBytes, ttlMinutes, kid, wrappedDek, ciphertext];
}

function linkValues({ link }: SparkInsert): unknown[] {
  return link ? [link.codeHash, link.kid, link.sealedCode, link.boundIp] : [null, null, null, null];
}

function payloadOf({ id, accountId, sizeBytes }: SparkInsert, context: AccountContext): object {
  return { spark_id: id, account_id: accountId, size_bytes: sizeBytes, ...actorOf(context) };
}

const insertSpark = statement(
  'sparks.insert-spark',
  `WITH created AS (
     INSERT INTO sparks (id, account_id, kindling, content_type, filename, size_bytes, ttl_minutes, expires_at, due_at, kid, wrapped_dek, ciphertext)
     SELECT $1, $2, $3, $4, $5, $6, $7::int, expiry, expiry, $8, $9, $10
       FROM (SELECT now() + make_interval(mins => $7::int) AS expiry) AS clock
      WHERE $3::text IS NULL OR $13::boolean OR EXISTS (SELECT 1 FROM kindlings WHERE id = $3)
     RETURNING created_at, expires_at),
   grouped AS (INSERT INTO kindlings (id, account_id) SELECT $3, $2 FROM created WHERE $13::boolean),
   linked AS (
     INSERT INTO sparklinks (code_hash, kid, sealed_code, bound_ip, asset_id, account_id, link_type, visibility, expires_at)
     SELECT $14::bytea, $15::text, $16::bytea, $17::inet, $1, $2, 'spark', 'public', expires_at FROM created WHERE $14::bytea IS NOT NULL
     RETURNING ${LINK_EVENT_COLUMNS}),
   link_event AS (${insertLinkEvents(sparklinkCreated, 'linked', '$11', '$18')}),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkCreated.name}', $2, $11, $12::jsonb FROM created)
   SELECT ${epochSeconds('created_at')}, ${epochSeconds('expires_at')} FROM created`,
);

const findKindling = statement('sparks.find-kindling', `SELECT 1 FROM kindlings WHERE id = $1`);
