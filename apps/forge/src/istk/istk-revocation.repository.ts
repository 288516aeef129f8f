import { Injectable } from '@nestjs/common';
import { uploadEnded } from '@vaultsvc/contracts/forge';
import { statement, type Queryable } from '@vaultsvc/database';
import { MAY_BE_RUNNING } from './istk.repository.js';
import { uploadEndPayload } from './version-members-sql.js';

/** A seal: the downloads of a vault that were minted before it. */
export interface SealSelection {
  readonly vaultId: string;
  readonly beforeEpoch: number;
}

/** The transfers that were issued through a delegated key or a link, or to a user of an account. */
export type IssueSelection =
  | { readonly vaultId: string; readonly dvakId: string }
  | { readonly accountId: string; readonly userId: string };

/** All transfers of a version, of one ingot of a vault, or of a vault. */
export type TransferSelection =
  | { readonly versionId: string }
  | { readonly vaultId: string; readonly ingotId?: string };

/**
 * Revokes ISTKs: deletes the wrapped key; a running download notices at its next step or heartbeat. A row lock orders
 * revocation and use: either the use is refused, or the revocation finds the upload that the use created. Each method
 * returns the number of ISTKs that it revoked.
 */
@Injectable()
export class IstkRevocationRepository {
  /** Does not revoke ISTKs without a seal epoch (links), nor uploads. */
  async revokeDownloads(tx: Queryable, { vaultId, beforeEpoch }: SealSelection): Promise<number> {
    return (await tx.query(revokeBeforeSeal, [vaultId, beforeEpoch])).length;
  }

  /**
   * Revokes downloads and unused uploads, and publishes the end of these uploads: their versions and storage reservations
   * wait for it. An upload that has started may finish.
   */
  async revokeIssued(tx: Queryable, selection: IssueSelection, requestId: string | null): Promise<number> {
    const rows =
      'dvakId' in selection
        ? await tx.query(revokeOfDvak, [selection.vaultId, selection.dvakId, requestId])
        : await tx.query(revokeOfUser, [selection.accountId, selection.userId, requestId]);
    return rows.length;
  }

  /** Publishes nothing: the caller drops the versions. */
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
const live = (condition: string) => `
  SELECT lookup FROM istks i
   WHERE ${condition} AND revoked_at IS NULL AND (wrapped_key IS NOT NULL OR ${MAY_BE_RUNNING})
   ORDER BY lookup FOR UPDATE`;

const revoke = (condition: string) => `
  WITH live AS (${live(condition)})
  UPDATE istks i SET revoked_at = clock_timestamp(), wrapped_key = NULL FROM live
   WHERE i.lookup = live.lookup RETURNING i.ingot_id`;

/** $3: request id. A used upload has neither a wrapped key nor a running download, so it is not live. */
const revokeAndEnd = (condition: string) => `
  WITH live AS (${live(condition)}),
  revoked AS (
    UPDATE istks i SET revoked_at = clock_timestamp(), wrapped_key = NULL,
           given_up_at = CASE WHEN i.operation = 'encrypt' THEN now() END
      FROM live WHERE i.lookup = live.lookup
    RETURNING i.operation, i.account_id, i.vault_id, i.ingot_id, i.version_id),
  event AS (
    INSERT INTO outbox (name, account_id, request_id, payload)
    SELECT '${uploadEnded.name}', account_id, $3::text,
           ${uploadEndPayload('0', `'dropped'`)}
      FROM revoked WHERE operation = 'encrypt')
  SELECT ingot_id FROM revoked`;

const revokeBeforeSeal = statement(
  'forge.revoke-istks-before-seal',
  revoke(`operation = 'decrypt' AND vault_id = $1 AND seal_epoch < $2`),
);

const revokeOfDvak = statement('forge.revoke-istks-of-dvak', revokeAndEnd(`vault_id = $1 AND dvak_id = $2`));

const revokeOfUser = statement(
  'forge.revoke-istks-of-user',
  revokeAndEnd(`account_id = $1 AND user_id = $2`),
);

const revokeOfVersion = statement('forge.revoke-istks-of-version', revoke(`version_id = $1`));

const revokeOfVault = statement(
  'forge.revoke-istks-of-vault',
  revoke(`vault_id = $1 AND ($2::text IS NULL OR ingot_id = $2)`),
);
