import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';
import { MAY_BE_RUNNING } from './istk.repository.js';

/** Downloads of one vault: those minted before a seal, or through one delegated key. */
export type DownloadSelection =
  | { readonly vaultId: string; readonly beforeEpoch: number }
  | { readonly vaultId: string; readonly dvakId: string };

/** Everything of a version, of one ingot of a vault, or of a vault. */
export type TransferSelection =
  { readonly versionId: string } | { readonly vaultId: string; readonly ingotId?: string };

/**
 * Ends ISTKs: the wrap goes, and a download that runs finds out at its next step. Of an ISTK that is being used at the
 * same moment either this comes first, and the use is refused, or the use, and then an upload is there to be found.
 * Each method gives the number of ISTKs that it has ended.
 */
@Injectable()
export class IstkRevocationRepository {
  /** Those without a seal epoch (links) no seal ends. Uploads go on. */
  async revokeDownloads(tx: Queryable, ended: DownloadSelection): Promise<number> {
    const rows =
      'dvakId' in ended
        ? await tx.query(revokeOfDvak, [ended.vaultId, ended.dvakId])
        : await tx.query(revokeBeforeSeal, [ended.vaultId, ended.beforeEpoch]);
    return rows.length;
  }

  async revokeAll(tx: Queryable, ended: TransferSelection): Promise<number> {
    const rows =
      'versionId' in ended
        ? await tx.query(revokeOfVersion, [ended.versionId])
        : await tx.query(revokeOfVault, [ended.vaultId, ended.ingotId ?? null]);
    return rows.length;
  }
}

/**
 * What can still be used, and what may still be running. Rows are locked in one order, so that a call and the event of
 * the same change never wait for each other in a circle.
 */
const revoke = (of: string) => `
  WITH ended AS (
    SELECT lookup FROM istks i
     WHERE ${of} AND revoked_at IS NULL AND (wrapped_key IS NOT NULL OR ${MAY_BE_RUNNING})
     ORDER BY lookup FOR UPDATE)
  UPDATE istks i SET revoked_at = clock_timestamp(), wrapped_key = NULL FROM ended
   WHERE i.lookup = ended.lookup RETURNING i.ingot_id`;

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
