import { Injectable } from '@nestjs/common';
import { actorOf, AppError, type AccountContext } from '@vaultsvc/contracts';
import { sparkCreated, sparklinkCreated } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, namedStatement } from '@vaultsvc/database';
import { CREATOR_COLUMNS, creatorOfActor } from '../creators/creator-sql.js';
import { insertLinkEvents, LINK_EVENT_COLUMNS } from '../link/link-events-sql.js';
import type { SparkInsert, SparkTimes } from './spark-insert.js';
import { isBatchable, SparkBatches } from './spark-batches.js';
import { CREATION_MEMBERS } from './burning/spark-sql.js';

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
    const values = insertSpark.valuesOf(sparkInsertOf(spark, context));
    const [times] = await this.database.query<SparkTimes>(insertSpark, values);
    if (!times) throw new AppError('KINDLING_NOT_FOUND');
    return times;
  }
}

function sparkInsertOf({ link, ...spark }: SparkInsert, context: AccountContext) {
  return {
    ...spark,
    codeHash: link?.codeHash ?? null,
    linkKid: link?.kid ?? null,
    sealedCode: link?.sealedCode ?? null,
    boundIp: link?.boundIp ?? null,
    requestId: context.requestId,
    actor: JSON.stringify(actorOf(context)),
  };
}

const insertSpark = namedStatement<ReturnType<typeof sparkInsertOf>>(
  'sparks.insert-spark',
  (v) => `
   WITH created AS (
     INSERT INTO sparks (id, account_id, kindling, content_type, filename, label, ${CREATOR_COLUMNS}, size_bytes, ttl_minutes, expires_at, due_at, kid,
                         wrapped_dek, ciphertext)
     SELECT ${v.id}, ${v.accountId}, ${v.kindling}, ${v.contentType}, ${v.filename}, ${v.label}, ${creatorOfActor(v.actor)}, ${v.sizeBytes},
            ${v.ttlMinutes}::int, expiry, expiry, ${v.kid}, ${v.wrappedDek}, ${v.ciphertext}
       FROM (SELECT now() + make_interval(mins => ${v.ttlMinutes}::int) AS expiry) AS clock
      WHERE NOT ${v.joinsKindling}::boolean OR EXISTS (SELECT 1 FROM kindlings WHERE id = ${v.kindling})
     RETURNING id, account_id, kindling, label, size_bytes, created_at, expires_at),
   grouped AS (INSERT INTO kindlings (id, account_id) SELECT kindling, account_id FROM created WHERE ${v.startsKindling}::boolean),
   linked AS (
     INSERT INTO sparklinks (code_hash, kid, sealed_code, bound_ip, asset_id, account_id, link_type, visibility, expires_at, ${CREATOR_COLUMNS})
     SELECT ${v.codeHash}::bytea, ${v.linkKid}::text, ${v.sealedCode}::bytea, ${v.boundIp}::inet, id, account_id, 'spark', 'public', expires_at,
            ${creatorOfActor(v.actor)}
       FROM created WHERE ${v.codeHash}::bytea IS NOT NULL
     RETURNING ${LINK_EVENT_COLUMNS}),
   link_event AS (${insertLinkEvents(sparklinkCreated, 'linked', v.requestId, v.actor)}),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkCreated.name}', account_id, ${v.requestId}, ${v.actor}::jsonb || jsonb_build_object(${CREATION_MEMBERS}, 'label', label)
       FROM created)
   SELECT ${epochSeconds('created_at')}, ${epochSeconds('expires_at')} FROM created`,
);
