import { epochSeconds } from '@vaultsvc/database';
import type { Istk, TakenIstk } from './istk.js';

/** A row of `istks i`, as `istkColumns` select it. */
export interface IstkRow {
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
  expires_at: number;
  is_used: boolean;
  is_revoked: boolean;
  is_expired: boolean;
  bytes_moved: number;
  wrapped_key: Buffer | null;
}

export interface TakenIstkRow extends IstkRow {
  taken_key: Buffer;
}

export const istkColumns = `i.lookup, i.account_id, i.vault_id, i.ingot_id, i.version_id, i.operation, i.mode,
  i.bytes_max, i.size_bytes, i.content_type, i.filename, i.bytes_moved, i.wrapped_key,
  ${epochSeconds('i.expires_at')}, i.used_at IS NOT NULL AS is_used,
  i.revoked_at IS NOT NULL AS is_revoked,
  least(i.expires_at, i.idle_until) <= now() AS is_expired`;

/**
 * Of `istks i`: whether a download may still be running. One that runs says so every half minute in `moved_at` (see
 * download/lifeline.ts), and gives up when it could not for two.
 */
export const MAY_RUN = `i.moved_at > now() - interval '10 minutes'`;

export function istkOf(row: IstkRow): Istk {
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
    isUsed: row.is_used,
    isRevoked: row.is_revoked,
    isExpired: row.is_expired,
    movedBytes: row.bytes_moved,
    wrappedKey: row.wrapped_key,
  };
}

export function takenIstkOf(row: TakenIstkRow): TakenIstk {
  return { ...istkOf(row), wrappedKey: row.taken_key };
}
