import { Injectable } from '@nestjs/common';
import { AppError, validationError } from '@vaultsvc/contracts';
import { FOLDER_LEVELS_MAX } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { statement, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { boundedNameKey } from '../vault/name-key.js';
import { isNameTaken, type Refusal } from '../vault/taken-name.js';
import { EXCLUSIVE_LOCK } from '../vault/vault-advisory-lock.js';
import { assertFolderId } from './folder.repository.js';

/** Where a folder stands under a name; a parent of null is the root. */
export interface Place {
  readonly parentId: string | null;
  readonly name: string;
}

/** What of a folder's place changes; what is undefined stays. */
export type Move = { readonly [K in keyof Place]: Place[K] | undefined };

/**
 * Changes the tree of a vault's folders. Whoever does holds the vault's row first, so that one change is decided on what
 * the one before it left: two moves at once make no cycle, and no folder comes into one that goes.
 */
@Injectable()
export class FolderTree {
  /** Until the end of the transaction nobody else changes this tree. Throws VAULT_NOT_FOUND. */
  async lock(tx: Queryable, { vaultId, accountId }: VaultIdentity): Promise<void> {
    const held = await tx.query(holdVault, [vaultId, accountId]);
    if (held.length === 0) throw new AppError('VAULT_NOT_FOUND');
  }

  /** Makes a folder in a tree that is held. Throws FOLDER_NOT_FOUND for the parent, FOLDER_NAME_TAKEN or 400. */
  async insert(tx: Queryable, vaultId: string, { parentId, name }: Place): Promise<string> {
    assertLevels((await this.#levelOf(tx, vaultId, parentId)) + 1);
    const folderId = newId('fld_');
    await tx
      .query(insertFolder, [vaultId, folderId, parentId, name, boundedNameKey(name)])
      .catch(refuseTakenName);
    return folderId;
  }

  /** Renames or moves a folder of a tree that is held. Throws FOLDER_NOT_FOUND, FOLDER_CYCLE, FOLDER_NAME_TAKEN or 400. */
  async change(tx: Queryable, vaultId: string, folderId: string, { parentId, name }: Move): Promise<void> {
    assertFolderId(folderId);
    const [height] = await tx.query<{ levels: number | null }>(measureHeight, [vaultId, folderId]);
    const levels = height?.levels ?? null;
    if (levels === null) throw new AppError('FOLDER_NOT_FOUND');
    assertLevels((await this.#levelOf(tx, vaultId, parentId ?? null, folderId)) + levels);
    const named = name === undefined ? [null, null] : [name, boundedNameKey(name)];
    const moved = [parentId !== undefined, parentId ?? null];
    await tx.query(changeFolder, [vaultId, folderId, ...named, ...moved]).catch(refuseTakenName);
  }

  /** Removes a folder of a tree that is held. Throws FOLDER_NOT_FOUND or FOLDER_NOT_EMPTY. */
  async remove(tx: Queryable, vaultId: string, folderId: string): Promise<void> {
    assertFolderId(folderId);
    const [folder] = await tx.query<{ is_empty: boolean }>(findContents, [vaultId, folderId]);
    if (!folder) throw new AppError('FOLDER_NOT_FOUND');
    if (!folder.is_empty) throw new AppError('FOLDER_NOT_EMPTY');
    await tx.query(deleteFolder, [vaultId, folderId]);
  }

  /** The ids along a path from the root, as far as it is there. */
  async walk(tx: Queryable, vaultId: string, names: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(walkPath, [vaultId, names.map(boundedNameKey)]);
    return rows.map(({ id }) => id);
  }

  /** 0 for the root. Throws FOLDER_NOT_FOUND, or FOLDER_CYCLE when it is `moving` or lies below it. */
  async #levelOf(
    tx: Queryable,
    vaultId: string,
    folderId: string | null,
    moving: string | null = null,
  ): Promise<number> {
    if (folderId === null) return 0;
    const [place] = await tx.query<{ level: number | null; is_below: boolean }>(findLevel, [
      vaultId,
      folderId,
      moving,
    ]);
    const level = place?.level ?? null;
    if (level === null) throw new AppError('FOLDER_NOT_FOUND');
    if (place?.is_below) throw new AppError('FOLDER_CYCLE');
    return level;
  }
}

function assertLevels(levels: number): void {
  if (levels <= FOLDER_LEVELS_MAX) return;
  throw validationError({
    field: 'parent_id',
    message: `folders nest ${FOLDER_LEVELS_MAX} levels deep at most`,
  });
}

function refuseTakenName(error: Error & Refusal): never {
  throw isNameTaken(error, 'folders_name_key') ? new AppError('FOLDER_NAME_TAKEN') : error;
}

// Not FOR SHARE: what is counted on the vault later in the same transaction would then wait for one another.
const holdVault = statement(
  'vaults.hold-folder-tree',
  `SELECT 1 FROM ${EXCLUSIVE_LOCK}, vaults
    WHERE id = $1 AND account_id = $2 AND status = 'active' FOR NO KEY UPDATE OF vaults`,
);

const insertFolder = statement(
  'vaults.insert-folder',
  `INSERT INTO folders (vault_id, id, parent_id, name, name_key) VALUES ($1, $2, $3, $4, $5)`,
);

const changeFolder = statement(
  'vaults.change-folder',
  `UPDATE folders
      SET name = coalesce($3::text, name), name_key = coalesce($4::text, name_key),
          parent_id = CASE WHEN $5::boolean THEN $6::text ELSE parent_id END,
          updated_at = greatest(now(), updated_at)
    WHERE vault_id = $1 AND id = $2`,
);

/** What keeps a folder from being deleted. */
const CONTENTS = `
  SELECT 1 FROM folders c WHERE c.vault_id = f.vault_id AND c.parent_id = f.id
  UNION ALL
  SELECT 1 FROM ingots i WHERE i.vault_id = f.vault_id AND i.folder_id = f.id`;

const findContents = statement(
  'vaults.find-folder-contents',
  `SELECT NOT EXISTS (${CONTENTS}) AS is_empty FROM folders f WHERE vault_id = $1 AND id = $2`,
);

const deleteFolder = statement('vaults.delete-folder', `DELETE FROM folders WHERE vault_id = $1 AND id = $2`);

// The bounds are for a tree that is none: it must not be climbed for ever.
const findLevel = statement(
  'vaults.find-folder-level',
  `WITH RECURSIVE up AS (
     SELECT id, parent_id, 1 AS level FROM folders WHERE vault_id = $1 AND id = $2
     UNION ALL
     SELECT f.id, f.parent_id, up.level + 1
       FROM up JOIN folders f ON f.vault_id = $1 AND f.id = up.parent_id WHERE up.level <= ${FOLDER_LEVELS_MAX})
   SELECT max(level) AS level, coalesce(bool_or(id = $3::text), false) AS is_below FROM up`,
);

const measureHeight = statement(
  'vaults.measure-folder-height',
  `WITH RECURSIVE down AS (
     SELECT id, 1 AS level FROM folders WHERE vault_id = $1 AND id = $2
     UNION ALL
     SELECT f.id, down.level + 1
       FROM down JOIN folders f ON f.vault_id = $1 AND f.parent_id = down.id WHERE down.level <= ${FOLDER_LEVELS_MAX})
   SELECT max(level) AS levels FROM down`,
);

const walkPath = statement(
  'vaults.walk-folder-path',
  `WITH RECURSIVE walk AS (
     SELECT id, 1 AS level FROM folders WHERE vault_id = $1 AND parent_id IS NULL AND name_key = ($2::text[])[1]
     UNION ALL
     SELECT f.id, walk.level + 1
       FROM walk JOIN folders f ON f.vault_id = $1 AND f.parent_id = walk.id AND f.name_key = ($2::text[])[walk.level + 1])
   SELECT id FROM walk ORDER BY level`,
);
