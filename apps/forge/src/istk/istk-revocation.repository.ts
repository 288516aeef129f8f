import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';
import { MAY_BE_RUNNING } from './istk.repository.js';

/** Downloads of one vault: minted before a seal, or through one delegated key or link. */
export type DownloadSelection =
  | { readonly vaultId: string; readonly beforeEpoch: number }
  | { readonly vaultId: string; readonly dvakId: string };

/** All transfers of a version, of one ingot of a vault, or of a vault. */
export type TransferSelection =
  { readonly versionId: string } | { readonly vaultId: string; readonly ingotId?: string };

/**
 * Revokes ISTKs: deletes the wrapped key; a running download notices at its next reservation or heartbeat. A row lock
 * orders revocation and use: either the use is refused, or the revocation finds the upload that the use created. Each
 * method returns the number of ISTKs that it revoked.
 */
@Injectable()
export class IstkRevocationRepository {
  /** A seal does not revoke ISTKs without a seal epoch (links), nor uploads. */
  async revokeDownloads(tx: Queryable, selection: DownloadSelection): Promise<number> {
    const rows =
      'dvakId' in selection
        ? await tx.query(revokeOfDvak, [selection.vaultId, selection.dvakId])
        : await tx.query(revokeBeforeSeal, [selection.vaultId, selection.beforeEpoch]);
    return rows.length;
  }

  async revokeAll(tx: Queryable, selection: TransferSelection): Promise<number> {
    const rows =
      'versionId' in selection
        ? await tx.query(revokeOfVersion, [selection.versionId])
        : await tx.query(revokeOfVault, [selection.vaultId, selection.ingotId ?? null]);
    return rows.length;
  }
}

/**
 * ISTKs that are still usable, or whose download may be running. Rows are locked in one order, so that a call and the
 * event of the same change cannot deadlock.
 */
const revoke = (condition: string) => `
  WITH live AS (
    SELECT lookup FROM istks i
     WHERE ${condition} AND revoked_at IS NULL AND (wrapped_key IS NOT NULL OR ${MAY_BE_RUNNING})
     ORDER BY lookup FOR UPDATE)
  UPDATE istks i SET revoked_at = clock_timestamp(), wrapped_key = NULL FROM live
   WHERE i.lookup = live.lookup RETURNING i.ingot_id`;

const revokeBeforeSeal = statement(
  'forge.revoke-istks-before-seal',
  revoke(`operation = 'decrypt' AND vault_id = $1 AND seal_epoch < $2`),
);

const revokeOfDvak = statement(
  'forge.revoke-istks-of-dvak',
  revoke(`operation = 'decrypt' AND vault_id = $1 AND dvak_id = $2`),
);

const revokeOfVersion = statement('forge.revoke-istks-of-version', revoke(`version_id = $1`));

const revokeOfVault = statement(
  'forge.revoke-istks-of-vault',
  revoke(`vault_id = $1 AND ($2::text IS NULL OR ingot_id = $2)`),
);
