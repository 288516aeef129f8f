import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import {
  FOLDER_FILES_MAX,
  fileTypeOf,
  type Ingot,
  type IngotChange,
  type IngotListQuery,
  type IngotMetadata,
  type IngotSort,
} from '@vaultsvc/contracts/vaults';
import { Database, type Queryable, statement } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { boundedNameKey, rejectTakenIngotName, rejectUnknownFolder } from '../keys/name-key.js';
import { INGOT_COLUMNS } from './ingot-columns.js';
import { bothOrders } from './sort-orders.js';

/** The versions of a deleted ingot: its content, which frees storage, and its pending upload, which ends. */
export interface DeletedIngot {
  readonly currentVersion: string | null;
  readonly pendingVersion: string | null;
  /** Of the current version. */
  readonly sizeBytes: number;
}

/** The current version of an ingot, with its key under the vault key and its hash under that key. */
export interface StoredContent {
  readonly versionId: string;
  readonly sizeBytes: number;
  readonly wrappedKey: Buffer;
  /** null: the version has none. */
  readonly sealedHash: Buffer | null;
}

/** Ingots as callers see them. Callers check before that the account has the vault. */
@Injectable()
export class IngotRepository {
  constructor(private readonly database: Database) {}

  /** The first ingots of a vault in this order; equal values are ordered by id (OPEN-18). */
  list(vaultId: string, { sort_by, sort_order, limit }: IngotListQuery): Promise<Ingot[]> {
    return this.database.query<Ingot>(lists[sort_by][sort_order], [vaultId, limit]);
  }

  /** The first files of a folder by name, without managed ones. */
  inFolder(vaultId: string, folderId: string): Promise<Ingot[]> {
    return this.database.query<Ingot>(listOfFolder, [vaultId, folderId, FOLDER_FILES_MAX]);
  }

  /** The metadata of an ingot, and its content if it has one. Throws INGOT_NOT_FOUND. */
  async read(
    { vaultId, accountId }: VaultIdentity,
    ingotId: string,
  ): Promise<{ metadata: IngotMetadata; content: StoredContent | null }> {
    const [row] = await this.database.query<ReadRow>(readIngot, [vaultId, accountId, ingotId]);
    if (!row) return notFound();
    const { versionId, wrappedKey, sealedHash, ...metadata } = row;
    if (versionId === null || wrappedKey === null) return { metadata, content: null };
    return { metadata, content: { versionId, sizeBytes: metadata.size_bytes, wrappedKey, sealedHash } };
  }

  /** Renames or moves. Throws INGOT_NOT_FOUND, FOLDER_NOT_FOUND, INGOT_NAME_TAKEN or 400. */
  async change(tx: Queryable, vault: VaultIdentity, ingotId: string, change: IngotChange): Promise<Ingot> {
    const { name, folder_id: folderId } = change;
    const named = name === undefined ? [null, null, null] : [name, boundedNameKey(name), fileTypeOf(name)];
    const moved = [folderId !== undefined, folderId ?? null];
    const values = [vault.vaultId, vault.accountId, ingotId, ...named, ...moved];
    const [ingot] = await tx
      .query<Ingot>(changeIngot, values)
      .catch(rejectUnknownFolder)
      .catch(rejectTakenIngotName);
    return ingot ?? notFound();
  }

  /**
   * Deletes an ingot with its versions and links, keys included. Throws INGOT_NOT_FOUND, or INGOT_UPLOADING while its first
   * upload is younger than an hour (ING-37, AMB-16).
   */
  async delete(tx: Queryable, { vaultId, accountId }: VaultIdentity, ingotId: string): Promise<DeletedIngot> {
    const values = [vaultId, accountId, ingotId];
    const [ingot] = await tx.query<DeletedIngot & { isGuarded: boolean }>(lockIngot, values);
    if (!ingot) throw new AppError('INGOT_NOT_FOUND');
    if (ingot.isGuarded) throw new AppError('INGOT_UPLOADING');
    await tx.query(deleteVersions, [ingotId]);
    await tx.query(deleteIngot, [ingotId]);
    return ingot;
  }
}

/** The columns of the version are null before the first upload is complete. */
interface ReadRow extends IngotMetadata {
  readonly versionId: string | null;
  readonly wrappedKey: Buffer | null;
  readonly sealedHash: Buffer | null;
}

function notFound(): never {
  throw new AppError('INGOT_NOT_FOUND');
}

// The files of a record: those of its folder, and no structured ingot (CRA-05).
const listOfFolder = statement(
  'vaults.list-ingots-of-folder',
  `SELECT ${INGOT_COLUMNS} FROM ingots i WHERE i.vault_id = $1 AND i.folder_id = $2 AND i.managed_by IS NULL
    ORDER BY i.folded_name, i.id LIMIT $3`,
);

const sortKeys: Readonly<Record<IngotSort, string>> = {
  name: 'i.folded_name',
  size: 'i.size_bytes',
  content_type: 'i.content_type COLLATE "C"',
  created_at: 'i.created_at',
  access_count: 'i.access_count',
  bandwidth: 'i.total_bandwidth_bytes',
};

const listBy = (sort: IngotSort) =>
  bothOrders((order) =>
    statement(
      `vaults.list-ingots-by-${sort}-${order}`,
      `SELECT ${INGOT_COLUMNS} FROM ingots i WHERE vault_id = $1 ORDER BY ${sortKeys[sort]} ${order}, i.id ${order} LIMIT $2`,
    ),
  );

const lists: Readonly<Record<IngotSort, ReturnType<typeof listBy>>> = {
  name: listBy('name'),
  size: listBy('size'),
  content_type: listBy('content_type'),
  created_at: listBy('created_at'),
  access_count: listBy('access_count'),
  bandwidth: listBy('bandwidth'),
};

const readIngot = statement(
  'vaults.read-ingot',
  `SELECT ${INGOT_COLUMNS}, i.current_version AS "versionId", v.wrapped_key AS "wrappedKey", v.sealed_hash AS "sealedHash"
     FROM ingots i LEFT JOIN ingot_versions v ON v.id = i.current_version
    WHERE i.vault_id = $1 AND i.account_id = $2 AND i.id = $3`,
);

const changeIngot = statement(
  'vaults.change-ingot',
  `UPDATE ingots i
      SET name = coalesce($4::text, name), folded_name = coalesce($5::text, folded_name),
          file_type = coalesce($6::text, file_type),
          folder_id = CASE WHEN $7::boolean THEN $8::text ELSE folder_id END,
          updated_at = greatest(now(), updated_at + interval '1 second')
    WHERE vault_id = $1 AND account_id = $2 AND id = $3 AND managed_by IS NULL
   RETURNING ${INGOT_COLUMNS}`,
);

const lockIngot = statement(
  'vaults.lock-ingot-to-delete',
  `SELECT current_version AS "currentVersion", pending_version AS "pendingVersion", size_bytes AS "sizeBytes",
          status = 'uploading' AND opened_at > clock_timestamp() - interval '1 hour' AS "isGuarded"
     FROM ingots WHERE vault_id = $1 AND account_id = $2 AND id = $3 AND managed_by IS NULL FOR UPDATE`,
);

const deleteVersions = statement(
  'vaults.delete-versions-of-ingot',
  `DELETE FROM ingot_versions WHERE ingot_id = $1`,
);

const deleteIngot = statement('vaults.delete-ingot', `DELETE FROM ingots WHERE id = $1`);
