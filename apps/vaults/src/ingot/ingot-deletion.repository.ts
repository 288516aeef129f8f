import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { statement, type Transaction } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';

/** What an ingot leaves to others: a content that was paid for, an upload that somebody may be at. */
export interface DeletedIngot {
  readonly currentVersion: string | null;
  readonly pendingVersion: string | null;
  /** Of the current version. */
  readonly sizeBytes: number;
}

type Guarded = DeletedIngot & { readonly isGuarded: boolean };

/** Takes single ingots out of their tables. */
@Injectable()
export class IngotDeletionRepository {
  /**
   * Removes an ingot with the keys of its versions and of its links. Throws INGOT_NOT_FOUND, or INGOT_UPLOADING while its first upload
   * is younger than an hour (ING-37, AMB-16).
   */
  async delete(
    tx: Transaction,
    { vaultId, accountId }: VaultIdentity,
    ingotId: string,
  ): Promise<DeletedIngot> {
    const [ingot] = await tx.query<Guarded>(holdIngot, [vaultId, accountId, ingotId]);
    if (!ingot) throw new AppError('INGOT_NOT_FOUND');
    if (ingot.isGuarded) throw new AppError('INGOT_UPLOADING');
    await tx.query(deleteVersions, [ingotId]);
    await tx.query(deleteIngot, [ingotId]);
    return ingot;
  }
}

const holdIngot = statement(
  'vaults.hold-ingot-to-delete',
  `SELECT current_version AS "currentVersion", pending_version AS "pendingVersion", size_bytes AS "sizeBytes",
          status = 'uploading' AND opened_at > clock_timestamp() - interval '1 hour' AS "isGuarded"
     FROM ingots WHERE vault_id = $1 AND account_id = $2 AND id = $3 AND managed_by IS NULL FOR UPDATE`,
);

const deleteVersions = statement(
  'vaults.delete-versions-of-ingot',
  `DELETE FROM ingot_versions WHERE ingot_id = $1`,
);

const deleteIngot = statement('vaults.delete-ingot', `DELETE FROM ingots WHERE id = $1`);
