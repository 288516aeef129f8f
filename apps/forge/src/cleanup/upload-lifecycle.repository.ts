import { Injectable } from '@nestjs/common';
import { uploadEnded, type UploadEnd } from '@vaultsvc/contracts/forge';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import { MAY_BE_RUNNING } from '../istk/istk.repository.js';
import { uploadEndPayload } from '../istk/version-members-sql.js';

const BATCH_MAX = 500;
/** OPEN-16. */
const IDLE_HOURS_MAX = 24;
const AGE_DAYS_MAX = 30;
/** How long downloads of a replaced version may continue after the last one could be admitted. */
const REPLACED_HOURS_MAX = 24;
/**
 * A download that was minted while its content was replaced may be admitted shortly after the event of the replacement.
 * Its content must not be dropped before it starts.
 */
const REPLACED_MINUTES_MIN = 5;

/**
 * The statements that end uploads. Each locks the uploads that have not ended, ends them and publishes the event of those
 * that were open, in one statement. So an upload ends once and is published once, despite concurrent changes.
 */
@Injectable()
export class UploadLifecycleRepository {
  constructor(private readonly database: Database) {}

  /** Returns false when no open upload has this lookup. */
  async cancel(lookup: Buffer, requestId: string | null): Promise<boolean> {
    return (await end(this.database, cancelOpen, 'cancelled', requestId, [lookup])) > 0;
  }

  /** Whether the upload is finished and its bytes are still kept. */
  async isFinished(lookup: Buffer): Promise<boolean> {
    return (await this.database.query(findFinished, [lookup])).length > 0;
  }

  dropVersion(tx: Queryable, versionId: string, requestId: string | null): Promise<number> {
    return end(tx, dropOfVersion, 'dropped', requestId, [versionId]);
  }

  /** Drops a batch of uploads of an ingot or a vault; returns 0 when none is left. */
  dropBatch(
    tx: Queryable,
    { vaultId, ingotId }: { readonly vaultId: string; readonly ingotId?: string },
    requestId: string | null,
  ): Promise<number> {
    if (ingotId === undefined) return end(tx, dropOfVault, 'dropped', requestId, [vaultId]);
    return end(tx, dropOfIngot, 'dropped', requestId, [vaultId, ingotId]);
  }

  /** Expires a batch of idle or overlong uploads; returns 0 when none is due. */
  expireBatch(): Promise<number> {
    return end(this.database, expireIdle, 'expired', null, []);
  }

  /** Publishes the end of a batch of upload ISTKs that expired unused, as of uploads; returns 0 when none is due. */
  async expireUnusedIstksBatch(): Promise<number> {
    return (await this.database.query(expireUnused, [])).length;
  }

  async countOpen(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(countOpen, []);
    return row?.count ?? 0;
  }

  /** `keptUntil`: epoch seconds, or null without one-time links. Idempotent; the latest `keptUntil` wins. */
  async replace(versionId: string, keptUntil: number | null): Promise<void> {
    await this.database.query(replaceVersion, [versionId, keptUntil]);
  }

  /** Whether the version was the content of its ingot once: it was replaced, or a download of it was admitted. */
  async wasContent(versionId: string): Promise<boolean> {
    return (await this.database.query(findDownload, [versionId])).length > 0;
  }

  /** A batch of replaced versions that no download needs any more. */
  async findUnusedReplaced(): Promise<string[]> {
    const rows = await this.database.query<{ version_id: string }>(findUnused, []);
    return rows.map(({ version_id }) => version_id);
  }
}

async function end(
  on: Queryable,
  text: ReturnType<typeof statement>,
  reason: UploadEnd['reason'],
  requestId: string | null,
  values: readonly unknown[],
): Promise<number> {
  return (await on.query(text, [reason, requestId, ...values])).length;
}

/**
 * $1: reason, $2: request id. Rows are locked in one order, so that concurrent statements cannot deadlock. Only open
 * uploads are published as ended: the others were published by forge.upload-finalized.
 */
const endStatement = (name: string, condition: string, lockOption = '') =>
  statement(
    `forge.${name}`,
    `WITH due AS (
       SELECT version_id, status FROM uploads WHERE ${condition}
        ORDER BY version_id LIMIT ${BATCH_MAX} FOR UPDATE ${lockOption}),
     ended AS (
       UPDATE uploads u SET status = 'dropped', wrapped_key = NULL, ended_at = now(), sweep_at = now()
         FROM due WHERE u.version_id = due.version_id
       RETURNING u.account_id, u.vault_id, u.ingot_id, u.version_id, u.offset_bytes, due.status AS previous_status),
     event AS (
       INSERT INTO outbox (name, account_id, request_id, payload)
       SELECT '${uploadEnded.name}', account_id, $2::text, ${uploadEndPayload('offset_bytes', '$1::text')}
         FROM ended WHERE previous_status = 'open')
     SELECT version_id FROM ended`,
  );

const cancelOpen = endStatement('cancel-upload', `lookup = $3 AND status = 'open'`);
const dropOfVersion = endStatement('drop-version', `version_id = $3 AND status <> 'dropped'`);
const dropOfIngot = endStatement(
  'drop-versions-of-ingot',
  `vault_id = $3 AND ingot_id = $4 AND status <> 'dropped'`,
);
const dropOfVault = endStatement('drop-versions-of-vault', `vault_id = $3 AND status <> 'dropped'`);
const expireIdle = endStatement(
  'expire-uploads',
  `status = 'open' AND (touched_at <= now() - interval '${IDLE_HOURS_MAX} hours'
                     OR created_at <= now() - interval '${AGE_DAYS_MAX} days')`,
  'SKIP LOCKED',
);

// A version, and its storage reservation, stays pending in vaults until this event.
const expireUnused = statement(
  'forge.expire-unused-istks',
  `WITH due AS (
     SELECT lookup FROM istks
      WHERE operation = 'encrypt' AND used_at IS NULL AND revoked_at IS NULL AND given_up_at IS NULL
        AND expires_at <= now() - interval '1 minute'
      ORDER BY lookup LIMIT ${BATCH_MAX} FOR UPDATE SKIP LOCKED),
   ended AS (
     UPDATE istks i SET given_up_at = now(), wrapped_key = NULL FROM due WHERE i.lookup = due.lookup
     RETURNING i.account_id, i.vault_id, i.ingot_id, i.version_id),
   event AS (
     INSERT INTO outbox (name, account_id, payload)
     SELECT '${uploadEnded.name}', account_id, ${uploadEndPayload('0', `'expired'`)} FROM ended)
   SELECT version_id FROM ended`,
);

const countOpen = statement(
  'forge.count-open-uploads',
  `SELECT count(*)::int AS count FROM uploads WHERE status = 'open'`,
);

const findFinished = statement(
  'forge.find-finished-upload',
  `SELECT version_id FROM uploads WHERE lookup = $1 AND status IN ('finalized', 'replaced')`,
);

const replaceVersion = statement(
  'forge.replace-version',
  `UPDATE uploads
      SET status = 'replaced', ended_at = CASE status WHEN 'finalized' THEN now() ELSE ended_at END,
          kept_until = greatest(kept_until, to_timestamp($2::bigint))
    WHERE version_id = $1 AND status IN ('finalized', 'replaced')`,
);

const findDownload = statement(
  'forge.find-download-of-version',
  `SELECT version_id FROM istks WHERE version_id = $1 AND operation = 'decrypt'
   UNION ALL SELECT version_id FROM uploads WHERE version_id = $1 AND status = 'replaced' LIMIT 1`,
);

/**
 * A version is in use until the end of its one-time links, and while an ISTK of it is usable or its download may be
 * running. That of its upload was consumed. `last_minted` is the last moment at which an ISTK can have been minted.
 */
const findUnused = statement(
  'forge.find-unused-versions',
  `SELECT version_id FROM uploads u CROSS JOIN LATERAL (SELECT greatest(u.ended_at, u.kept_until)) AS l (last_minted)
    WHERE status = 'replaced' AND ended_at <= now() - interval '${REPLACED_MINUTES_MIN} minutes'
      AND last_minted <= now() - interval '${REPLACED_MINUTES_MIN} minutes'
      AND (last_minted <= now() - interval '${REPLACED_HOURS_MAX} hours' OR NOT EXISTS (
        SELECT 1 FROM istks i
         WHERE i.version_id = u.version_id AND i.revoked_at IS NULL
           AND ((i.wrapped_key IS NOT NULL AND least(i.expires_at, i.idle_until) > now())
             OR ${MAY_BE_RUNNING})))
    ORDER BY ended_at LIMIT ${BATCH_MAX}`,
);
