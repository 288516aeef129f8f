import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import {
  ConcurrentModification,
  Database,
  epochSeconds,
  type Queryable,
  statement,
} from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';

/** The durable share of an ingot: its link, and the share key that opens it. */
export interface Share {
  readonly linkId: string;
  readonly keyId: string;
}

/** A version of a shared ingot, with its key under the vault key. */
export interface VersionKey {
  readonly versionId: string;
  readonly wrappedKey: Buffer;
}

export interface IngotOfVault extends VaultIdentity {
  readonly ingotId: string;
}

/**
 * Durable shares of ingots. Transactions that create or end shares, prepare uploads or remove ingots acquire locks in this
 * order: vault, share key, ingot, share, versions, keys of one-time links.
 */
@Injectable()
export class ShareRepository {
  constructor(private readonly database: Database) {}

  async find(ingotId: string, on: Queryable = this.database): Promise<Share | undefined> {
    const [share] = await on.query<Share>(findShare, [ingotId]);
    return share;
  }

  /** As `find`; the share cannot end before the commit. */
  async findLocked(tx: Queryable, ingotId: string): Promise<Share | undefined> {
    const [share] = await tx.query<Share>(lockShare, [ingotId]);
    return share;
  }

  /** Locks the ingot and its sharing until the commit and returns the id of its link. Throws INGOT_NOT_FOUND. */
  async lockIngot(tx: Queryable, { vaultId, accountId, ingotId }: IngotOfVault): Promise<string | null> {
    const locked = await tx.query(lockIngot, [vaultId, accountId, ingotId]);
    if (locked.length === 0) throw new AppError('INGOT_NOT_FOUND');
    // A separate statement: it sees the commit of the transaction that held the lock before.
    return (await this.find(ingotId, tx))?.linkId ?? null;
  }

  /** Throws `ConcurrentModification` when the share key was revoked or the ingot is shared, INGOT_NOT_FOUND. */
  async create(tx: Queryable, ingot: IngotOfVault, { linkId, keyId }: Share): Promise<void> {
    if ((await tx.query(lockShareKey, [keyId])).length === 0) throw new ConcurrentModification();
    if ((await this.lockIngot(tx, ingot)) !== null) throw new ConcurrentModification();
    const { vaultId, accountId, ingotId } = ingot;
    await tx.query(insertShare, [ingotId, vaultId, accountId, linkId, keyId]);
    await this.touch(tx, ingotId);
  }

  /** The current version of a locked ingot, and the pending one if there is one. */
  findVersionKeys(tx: Queryable, ingotId: string): Promise<VersionKey[]> {
    return tx.query<VersionKey>(selectVersionKeys, [ingotId]);
  }

  async storeWrap(tx: Queryable, versionId: string, sharedKey: Buffer): Promise<void> {
    await tx.query(storeSharedKey, [versionId, sharedKey]);
  }

  /** Ends this share of a locked ingot and deletes the wraps of its versions. False when it had ended before. */
  async end(tx: Queryable, ingotId: string, linkId: string): Promise<boolean> {
    if ((await tx.query(deleteShare, [ingotId, linkId])).length === 0) return false;
    await tx.query(shredWraps, [ingotId]);
    return true;
  }

  /** Advances `updated_at` by at least a second, whatever the clock does. */
  async touch(tx: Queryable, ingotId: string): Promise<void> {
    await tx.query(touchIngot, [ingotId]);
  }

  /** Epoch seconds. Throws INGOT_NOT_FOUND. */
  async updatedAt({ vaultId, accountId, ingotId }: IngotOfVault): Promise<number> {
    const [row] = await this.database.query<{ updated_at: number }>(readUpdatedAt, [
      vaultId,
      accountId,
      ingotId,
    ]);
    if (!row) throw new AppError('INGOT_NOT_FOUND');
    return row.updated_at;
  }

  /** Throws SHARING_DISABLED while public file sharing is off for the vault (OPEN-20), VAULT_NOT_FOUND. */
  async assertEnabled({ vaultId, accountId }: VaultIdentity): Promise<void> {
    const [vault] = await this.database.query<{ is_on: boolean }>(readSwitch, [vaultId, accountId]);
    if (!vault) throw new AppError('VAULT_NOT_FOUND');
    if (!vault.is_on) throw new AppError('SHARING_DISABLED');
  }
}

const FIND_SHARE = `SELECT link_id AS "linkId", key_id AS "keyId" FROM ingot_shares WHERE ingot_id = $1`;
const findShare = statement('vaults.find-share', FIND_SHARE);
const lockShare = statement('vaults.lock-share', `${FIND_SHARE} FOR SHARE`);

const lockShareKey = statement(
  'vaults.lock-share-key',
  `SELECT id FROM dvaks WHERE id = $1 AND status = 'active' FOR SHARE`,
);

const lockIngot = statement(
  'vaults.lock-ingot-to-share',
  `SELECT id FROM ingots WHERE vault_id = $1 AND account_id = $2 AND id = $3 FOR NO KEY UPDATE`,
);

const insertShare = statement(
  'vaults.insert-share',
  `INSERT INTO ingot_shares (ingot_id, vault_id, account_id, link_id, key_id) VALUES ($1, $2, $3, $4, $5)`,
);

const selectVersionKeys = statement(
  'vaults.find-version-keys',
  `SELECT v.id AS "versionId", v.wrapped_key AS "wrappedKey"
     FROM ingot_versions v JOIN ingots i ON i.id = v.ingot_id AND v.id IN (i.current_version, i.pending_version)
    WHERE i.id = $1`,
);

const storeSharedKey = statement(
  'vaults.store-shared-key',
  `UPDATE ingot_versions SET shared_key = $2 WHERE id = $1`,
);

const deleteShare = statement(
  'vaults.delete-share',
  `DELETE FROM ingot_shares WHERE ingot_id = $1 AND link_id = $2 RETURNING ingot_id`,
);

const shredWraps = statement(
  'vaults.shred-shared-keys',
  `UPDATE ingot_versions SET shared_key = NULL WHERE ingot_id = $1 AND shared_key IS NOT NULL`,
);

const touchIngot = statement(
  'vaults.touch-ingot',
  `UPDATE ingots SET updated_at = greatest(now(), updated_at + interval '1 second') WHERE id = $1`,
);

const readUpdatedAt = statement(
  'vaults.read-ingot-time',
  `SELECT ${epochSeconds('updated_at')} FROM ingots
    WHERE vault_id = $1 AND account_id = $2 AND id = $3`,
);

const readSwitch = statement(
  'vaults.read-sharing-switch',
  `SELECT public_file_sharing AS is_on FROM vaults WHERE id = $1 AND account_id = $2 AND status = 'active'`,
);
