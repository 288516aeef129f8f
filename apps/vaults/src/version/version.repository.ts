import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { fileTypeOf } from '@vaultsvc/contracts/vaults';
import { Database, epochSeconds, namedStatement, statement, type Queryable } from '@vaultsvc/database';
import type { FileIds } from '@vaultsvc/crypto/container';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { ShareWrap } from '../sharing/share-keys.js';
import { boundedNameKey, rejectTakenIngotName, rejectUnknownFolder } from '../keys/name-key.js';

/** A new version: the announced content, and its key under the vault key and under a share key. */
export interface NewVersion extends FileIds {
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly originalFilename: string | null;
  /** Epoch seconds; null: unknown. */
  readonly modifiedAt: number | null;
  readonly wrappedKey: Buffer;
  /** null: the ingot is not shared. */
  readonly share: ShareWrap | null;
}

/** The folder and the name of an ingot. */
export interface IngotPlace {
  readonly folderId: string | null;
  readonly name: string;
}

/** The ingot that has a place. */
export interface PlaceHolder {
  readonly ingotId: string;
  readonly isManaged: boolean;
}

/** A version whose row was deleted, and its size. */
export interface PrunedVersion {
  readonly versionId: string;
  readonly sizeBytes: number;
  /** The expiry of its last one-time link in epoch seconds; null without a link. */
  readonly keptUntil: number | null;
}

/** What Forge tells of a complete upload: the real size, and the hash of the content, sealed under its file key. */
export interface ReceivedContent {
  readonly sizeBytes: number;
  /** null: Forge of the previous release received a part of it. */
  readonly sealedHash: Buffer | null;
}

/** The key of a version under the vault key, the hash of its content under that key, and the time of its file. */
export interface StoredVersion {
  readonly wrappedKey: Buffer;
  readonly sealedHash: Buffer | null;
  /** Epoch seconds; null: unknown. */
  readonly modifiedAt: number | null;
}

/**
 * Versions of ingots, and the changes that uploads make to ingots. An ingot references two versions: the current one
 * and the pending one. A transaction that changes these references prunes the other versions.
 */
@Injectable()
export class VersionRepository {
  constructor(private readonly database: Database) {}

  /** The ingot at this place, if any. Throws VAULT_NOT_FOUND or FOLDER_NOT_FOUND. */
  async holderOf(vault: VaultIdentity, { folderId, name }: IngotPlace): Promise<PlaceHolder | undefined> {
    const [place] = await this.database.query<{
      is_folder_known: boolean;
      ingot_id: string | null;
      is_managed: boolean;
    }>(findPlace, [vault.vaultId, vault.accountId, folderId, boundedNameKey(name)]);
    if (!place) throw new AppError('VAULT_NOT_FOUND');
    if (!place.is_folder_known) throw new AppError('FOLDER_NOT_FOUND');
    return place.ingot_id === null ? undefined : { ingotId: place.ingot_id, isManaged: place.is_managed };
  }

  /** Inserts an ingot with its first version. False: another ingot has this place. Throws FOLDER_NOT_FOUND. */
  async insertIngot(
    tx: Queryable,
    { folderId, name }: IngotPlace,
    version: NewVersion,
    uploadSource: string | null,
  ): Promise<boolean> {
    const values = insertIngot.valuesOf({ ...version, ...namedBy(name), folderId, uploadSource });
    const rows = await tx.query(insertIngot, values).catch(rejectUnknownFolder);
    if (rows.length > 0) await this.#insertVersion(tx, version);
    return rows.length > 0;
  }

  /** Opens an upload for the ingot of a place, which gets the spelling of `name`. False: the place has changed. */
  async reopen(tx: Queryable, { folderId, name }: IngotPlace, version: NewVersion): Promise<boolean> {
    const values = reopenIngot.valuesOf({ ...version, ...namedBy(name), folderId });
    const rows = await tx.query(reopenIngot, values);
    if (rows.length > 0) await this.#insertVersion(tx, version);
    return rows.length > 0;
  }

  /**
   * Opens an upload for an ingot, renames it, and returns its name. Throws INGOT_CHANGED when it was changed since
   * `expectedUpdatedAt`, INGOT_NAME_TAKEN, or INGOT_NOT_FOUND when it was deleted.
   */
  async replace(
    tx: Queryable,
    version: NewVersion,
    name: string | undefined,
    expectedUpdatedAt: number | undefined,
  ): Promise<string> {
    const named = name === undefined ? UNNAMED : namedBy(name);
    const expected = { expectedUpdatedAt: expectedUpdatedAt ?? null };
    const values = replaceIngot.valuesOf({ ...version, ...named, ...expected });
    const [row] = await tx.query<{ name: string }>(replaceIngot, values).catch(rejectTakenIngotName);
    if (!row) throw await this.#whyNotReplaced(tx, version);
    await this.#insertVersion(tx, version);
    return row.name;
  }

  async #whyNotReplaced(tx: Queryable, { ingotId, vaultId }: NewVersion): Promise<AppError> {
    const found = await tx.query(findIngot, [ingotId, vaultId]);
    return new AppError(found.length > 0 ? 'INGOT_CHANGED' : 'INGOT_NOT_FOUND');
  }

  async #insertVersion(tx: Queryable, version: NewVersion): Promise<void> {
    const sharedKey = version.share?.sharedKey ?? null;
    await tx.query(insertVersion, insertVersion.valuesOf({ ...version, sharedKey }));
  }

  /** Makes the pending version the current one, with its real size and its hash. False: it is not pending. */
  async promote(tx: Queryable, version: FileIds, received: ReceivedContent): Promise<boolean> {
    const { ingotId, vaultId, accountId, versionId } = version;
    const values = [ingotId, vaultId, accountId, versionId, received.sizeBytes, received.sealedHash];
    return (await tx.query(promote, values)).length > 0;
  }

  /** Adds the hash to a version that an instance of the previous release made current without it. */
  async addHash(tx: Queryable, version: FileIds, { sealedHash, sizeBytes }: ReceivedContent): Promise<void> {
    if (sealedHash === null) return;
    const { versionId, vaultId, accountId } = version;
    await tx.query(addHash, [versionId, vaultId, accountId, sizeBytes, sealedHash]);
  }

  /** Drops the pending version; an ingot without any content has failed. False: it is not pending. */
  async abandon(tx: Queryable, { ingotId, vaultId, accountId, versionId }: FileIds): Promise<boolean> {
    return (await tx.query(abandon, [ingotId, vaultId, accountId, versionId])).length > 0;
  }

  /**
   * Deletes the versions that their ingot no longer references, keys included. One-time links have keys of their own.
   */
  prune(tx: Queryable, ingotId: string): Promise<PrunedVersion[]> {
    return tx.query<PrunedVersion>(prune, [ingotId]);
  }

  /** The pending version of the ingot, if any. */
  async pendingOf({ ingotId, vaultId }: Pick<FileIds, 'ingotId' | 'vaultId'>): Promise<string | undefined> {
    const [row] = await this.database.query<{ id: string | null }>(findPending, [ingotId, vaultId]);
    return row?.id ?? undefined;
  }

  async isCurrent({ ingotId, vaultId, versionId }: FileIds, on: Queryable = this.database): Promise<boolean> {
    return (await on.query(findCurrent, [ingotId, vaultId, versionId])).length > 0;
  }

  /** Whether a one-time link serves this version. */
  async isLinked({ versionId, vaultId }: FileIds, on: Queryable = this.database): Promise<boolean> {
    return (await on.query(findLinked, [versionId, vaultId])).length > 0;
  }

  /** Undefined when the version was deleted. */
  async find({ versionId, vaultId }: FileIds): Promise<StoredVersion | undefined> {
    const [row] = await this.database.query<StoredVersion>(findVersion, [versionId, vaultId]);
    return row;
  }
}

/** The columns that follow from the name of an ingot; null leaves them as they are. */
interface NameColumns {
  readonly name: string | null;
  readonly nameKey: string | null;
  readonly fileType: string | null;
}

const UNNAMED: NameColumns = { name: null, nameKey: null, fileType: null };

function namedBy(name: string): NameColumns {
  return { name, nameKey: boundedNameKey(name), fileType: fileTypeOf(name) };
}

type IngotOpening = NewVersion & NameColumns;

const findPlace = statement(
  'vaults.find-ingot-place',
  `SELECT $3::text IS NULL OR EXISTS (SELECT 1 FROM folders f WHERE f.vault_id = v.id AND f.id = $3) AS is_folder_known,
          i.id AS ingot_id, i.managed_by IS NOT NULL AS is_managed
     FROM vaults v
     LEFT JOIN ingots i ON i.vault_id = v.id AND i.folded_name = $4 AND i.folder_id IS NOT DISTINCT FROM $3
    WHERE v.id = $1 AND v.account_id = $2 AND v.status = 'active'`,
);

const insertIngot = namedStatement<
  IngotOpening & { readonly folderId: string | null; readonly uploadSource: string | null }
>(
  'vaults.insert-ingot',
  (v) => `
   INSERT INTO ingots (id, vault_id, pending_version, size_bytes, content_type, original_filename, account_id,
                       folder_id, name, folded_name, file_type, upload_source, status)
   VALUES (${v.ingotId}, ${v.vaultId}, ${v.versionId}, ${v.sizeBytes}, ${v.contentType}, ${v.originalFilename}, ${v.accountId},
           ${v.folderId}, ${v.name}, ${v.nameKey}, ${v.fileType}, ${v.uploadSource}, 'uploading')
   ON CONFLICT DO NOTHING
   RETURNING id`,
);

// An ingot with content keeps these columns. `updated_at` always increases, even when the clock does not.
const open = (v: Readonly<Record<keyof IngotOpening, string>>) => `
  UPDATE ingots
     SET pending_version = ${v.versionId},
         size_bytes = CASE WHEN current_version IS NULL THEN ${v.sizeBytes} ELSE size_bytes END,
         content_type = CASE WHEN current_version IS NULL THEN ${v.contentType} ELSE content_type END,
         original_filename = CASE WHEN current_version IS NULL THEN ${v.originalFilename} ELSE original_filename END,
         status = CASE WHEN current_version IS NULL THEN 'uploading' ELSE status END,
         opened_at = CASE WHEN current_version IS NULL THEN now() ELSE opened_at END,
         name = coalesce(${v.name}::text, name), folded_name = coalesce(${v.nameKey}::text, folded_name),
         file_type = coalesce(${v.fileType}::text, file_type),
         updated_at = greatest(now(), updated_at + interval '1 second')
   WHERE id = ${v.ingotId} AND vault_id = ${v.vaultId} AND managed_by IS NULL`;

const reopenIngot = namedStatement<IngotOpening & { readonly folderId: string | null }>(
  'vaults.reopen-ingot',
  (v) =>
    `${open(v)} AND folded_name = ${v.nameKey} AND folder_id IS NOT DISTINCT FROM ${v.folderId} RETURNING id`,
);

const replaceIngot = namedStatement<IngotOpening & { readonly expectedUpdatedAt: number | null }>(
  'vaults.replace-ingot',
  (v) => `${open(v)}
     AND (${v.expectedUpdatedAt}::bigint IS NULL OR floor(extract(epoch FROM updated_at)) = ${v.expectedUpdatedAt}) RETURNING name`,
);

const findIngot = statement(
  'vaults.find-ingot-of-vault',
  `SELECT id FROM ingots WHERE id = $1 AND vault_id = $2`,
);

const insertVersion = namedStatement<NewVersion & { readonly sharedKey: Buffer | null }>(
  'vaults.insert-version',
  (v) => `
   INSERT INTO ingot_versions (id, ingot_id, vault_id, account_id, size_bytes, content_type, original_filename,
                               wrapped_key, shared_key, modified_at)
   VALUES (${v.versionId}, ${v.ingotId}, ${v.vaultId}, ${v.accountId}, ${v.sizeBytes}, ${v.contentType}, ${v.originalFilename},
           ${v.wrappedKey}, ${v.sharedKey}, to_timestamp(${v.modifiedAt}::bigint))`,
);

// The version's row gets the real size, which is released when another version replaces it.
const promote = statement(
  'vaults.promote-version',
  `WITH promoted AS (
     UPDATE ingots i
        SET current_version = v.id, pending_version = NULL, size_bytes = $5, content_type = v.content_type,
            original_filename = v.original_filename, status = 'active',
            updated_at = greatest(now(), i.updated_at + interval '1 second')
       FROM ingot_versions v
      WHERE i.id = $1 AND i.vault_id = $2 AND i.account_id = $3 AND i.pending_version = $4 AND v.id = i.pending_version
     RETURNING v.id)
   UPDATE ingot_versions v SET size_bytes = $5, sealed_hash = $6::bytea
     FROM promoted p WHERE v.id = p.id RETURNING v.id`,
);

const addHash = statement(
  'vaults.add-hash-of-version',
  `UPDATE ingot_versions SET sealed_hash = $5::bytea
    WHERE id = $1 AND vault_id = $2 AND account_id = $3 AND size_bytes = $4 AND sealed_hash IS NULL`,
);

const abandon = statement(
  'vaults.abandon-version',
  `UPDATE ingots
      SET pending_version = NULL, status = CASE WHEN current_version IS NULL THEN 'failed' ELSE status END
    WHERE id = $1 AND vault_id = $2 AND account_id = $3 AND pending_version = $4
   RETURNING id`,
);

// A separate statement, whose snapshot includes the changes of the previous holder of the ingot's row.
const prune = statement(
  'vaults.prune-versions',
  `DELETE FROM ingot_versions v USING ingots i
    WHERE i.id = $1 AND v.ingot_id = i.id
      AND v.id IS DISTINCT FROM i.current_version AND v.id IS DISTINCT FROM i.pending_version
   RETURNING v.id AS "versionId", v.size_bytes AS "sizeBytes",
     (SELECT ceil(extract(epoch FROM max(k.expires_at)))::bigint FROM link_keys k
       WHERE k.version_id = v.id AND k.expires_at > now()) AS "keptUntil"`,
);

const findPending = statement(
  'vaults.find-pending-version',
  `SELECT pending_version AS id FROM ingots WHERE id = $1 AND vault_id = $2`,
);

const findCurrent = statement(
  'vaults.find-current-version',
  `SELECT id FROM ingots WHERE id = $1 AND vault_id = $2 AND current_version = $3`,
);

const findLinked = statement(
  'vaults.find-link-of-version',
  `SELECT link_id FROM link_keys WHERE version_id = $1 AND vault_id = $2 AND expires_at > now() LIMIT 1`,
);

const findVersion = statement(
  'vaults.find-version',
  `SELECT wrapped_key AS "wrappedKey", sealed_hash AS "sealedHash", ${epochSeconds('modified_at', 'modifiedAt')}
     FROM ingot_versions WHERE id = $1 AND vault_id = $2`,
);
