import { Injectable } from '@nestjs/common';
import { STREAM_IDLE_SECONDS, type Transfer } from '@vaultsvc/contracts/forge';
import { Database, epochSeconds, type Queryable, namedStatement, statement } from '@vaultsvc/database';
import { assertUsable, type ConsumedIstk, type Istk, istkRefused } from './istk.js';

/** ISTKs. Rows hold no ISTK, only its hash; the row's wrapped key opens with the ISTK alone. */
@Injectable()
export class IstkRepository {
  constructor(private readonly database: Database) {}

  /** Idempotent, even if the ISTK was used between two calls. */
  async admit(transfer: Transfer): Promise<void> {
    const values = insertIstk.valuesOf({
      ...transfer,
      lookup: Buffer.from(transfer.lookup, 'base64url'),
      wrapped_key: Buffer.from(transfer.wrapped_key, 'base64url'),
      user_id: transfer.user_id ?? null,
      idle_seconds: transfer.idle_seconds ?? STREAM_IDLE_SECONDS,
    });
    await this.database.query(insertIstk, values);
  }

  /** Changes nothing; `assertUsable` decides whether the ISTK may be used. */
  async find(lookup: Buffer, on: Queryable = this.database): Promise<Istk | undefined> {
    const [row] = await on.query<IstkRow>(findIstk, [lookup]);
    return row && istkOf(row);
  }

  /**
   * Consumes an ISTK for one upload; the caller's commit deletes the wrapped key from its row. Of concurrent calls one
   * succeeds, the others wait for its commit. Throws AUTHENTICATION_ERROR with `details.code` ISTK_INVALID (unknown,
   * revoked or for downloads), ISTK_USED or ISTK_EXPIRED.
   */
  async consumeForUpload(tx: Queryable, lookup: Buffer): Promise<ConsumedIstk> {
    const [row] = await tx.query<ConsumedIstkRow>(consumeUpload, [lookup]);
    if (row) return consumedIstkOf(row);
    assertUsable(await this.find(lookup, tx), 'encrypt');
    throw istkRefused('ISTK_INVALID');
  }
}

/** A row of `istks i` with the columns `istkColumns`. */
interface IstkRow {
  lookup: Buffer;
  account_id: string;
  vault_id: string;
  ingot_id: string;
  version_id: string;
  operation: 'encrypt' | 'decrypt';
  mode: 'once' | 'stream';
  bytes_max: number;
  size_bytes: number;
  content_type: string;
  filename: string;
  modified_at?: number | null;
  expires_at: number;
  is_used: boolean;
  is_revoked: boolean;
  is_expired: boolean;
  bytes_moved: number;
  wrapped_key: Buffer | null;
}

interface ConsumedIstkRow extends IstkRow {
  consumed_key: Buffer;
}

const istkColumns = `i.lookup, i.account_id, i.vault_id, i.ingot_id, i.version_id, i.operation, i.mode,
  i.bytes_max, i.size_bytes, i.content_type, i.filename, i.bytes_moved, i.wrapped_key,
  ${epochSeconds('i.expires_at')}, i.used_at IS NOT NULL AS is_used,
  i.revoked_at IS NOT NULL AS is_revoked,
  least(i.expires_at, i.idle_until) <= now() AS is_expired`;

/**
 * Whether a download of a row `istks i` may be running. A running download renews `moved_at` by its heartbeat every 30 s
 * and ends itself after 110 s without one (see DownloadTimeouts).
 */
export const MAY_BE_RUNNING = `i.moved_at > now() - interval '10 minutes'`;

function istkOf(row: IstkRow): Istk {
  return {
    lookup: row.lookup,
    accountId: row.account_id,
    vaultId: row.vault_id,
    ingotId: row.ingot_id,
    versionId: row.version_id,
    terms: {
      operation: row.operation,
      mode: row.mode,
      bytesMax: row.bytes_max,
      expiresAt: row.expires_at,
    },
    sizeBytes: row.size_bytes,
    contentType: row.content_type,
    filename: row.filename,
    modifiedAt: row.modified_at ?? null,
    isUsed: row.is_used,
    isRevoked: row.is_revoked,
    isExpired: row.is_expired,
    movedBytes: row.bytes_moved,
    wrappedKey: row.wrapped_key,
  };
}

function consumedIstkOf(row: ConsumedIstkRow): ConsumedIstk {
  return { ...istkOf(row), wrappedKey: row.consumed_key };
}

interface IstkInsert extends Omit<Transfer, 'lookup' | 'wrapped_key' | 'user_id' | 'idle_seconds'> {
  readonly lookup: Buffer;
  readonly wrapped_key: Buffer;
  readonly user_id: string | null;
  readonly idle_seconds: number;
}

const insertIstk = namedStatement<IstkInsert>(
  'forge.insert-istk',
  (v) => `
   INSERT INTO istks (lookup, account_id, vault_id, ingot_id, version_id, operation, mode, bytes_max, size_bytes,
                      content_type, filename, dvak_id, seal_epoch, wrapped_key, expires_at, idle_until, user_id)
   VALUES (${v.lookup}, ${v.account_id}, ${v.vault_id}, ${v.ingot_id}, ${v.version_id}, ${v.operation}, ${v.mode}::text,
           ${v.bytes_max}, ${v.size_bytes}, ${v.content_type}, ${v.filename}, ${v.dvak_id}, ${v.seal_epoch}, ${v.wrapped_key},
           to_timestamp(${v.expires_at}::bigint),
           CASE WHEN ${v.mode}::text = 'stream' THEN now() + ${v.idle_seconds}::int * interval '1 second' END, ${v.user_id})
   ON CONFLICT (lookup) DO NOTHING`,
);

// The row of the upload is found for the date of a download: its last chunk was the last change.
const findIstk = statement(
  'forge.find-istk',
  `SELECT ${istkColumns}, ${epochSeconds('u.touched_at', 'modified_at')}
     FROM istks i LEFT JOIN uploads u ON u.version_id = i.version_id
    WHERE i.lookup = $1`,
);

// RETURNING yields new values; the CTE has the wrapped key as it was before the update.
const consumeUpload = statement(
  'forge.consume-istk-for-upload',
  `WITH locked AS (SELECT lookup, wrapped_key FROM istks WHERE lookup = $1 FOR UPDATE)
   UPDATE istks i SET used_at = clock_timestamp(), wrapped_key = NULL
     FROM locked
    WHERE i.lookup = locked.lookup AND i.operation = 'encrypt' AND i.used_at IS NULL AND i.revoked_at IS NULL
      AND i.expires_at > now() AND i.wrapped_key IS NOT NULL
   RETURNING ${istkColumns}, locked.wrapped_key AS consumed_key`,
);
