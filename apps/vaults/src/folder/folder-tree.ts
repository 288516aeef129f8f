import { Injectable } from '@nestjs/common';
import { AppError, decode, idPattern, validationError, type AccountContext } from '@vaultsvc/contracts';
import { FOLDER_LEVELS_MAX, folderCreated, NewFolder, vaultActionOf } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { statement, type Queryable } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { VaultIdentity } from '../keys/vault-key.js';
import { boundedNameKey, rejectTakenName } from '../keys/name-key.js';
import { EXCLUSIVE_LOCK } from '../vault/vault-advisory-lock.js';

const FOLDER_ID = idPattern('fld');

/** The parent and the name of a folder; a parent of null is the root. */
export interface Place {
  readonly parentId: string | null;
  readonly name: string;
}

/** A change of a folder's place; undefined leaves the parent or the name as it is. */
export type Move = { readonly [K in keyof Place]: Place[K] | undefined };

/**
 * Changes the folder tree of a vault. Every change locks the vault's row first, so that each one sees the result of the one
 * before: concurrent moves create no cycle, and no folder enters one that is being deleted.
 */
@Injectable()
export class FolderTree {
  constructor(private readonly outbox: Outbox) {}

  /** Locks the tree against other changes until the commit. Throws VAULT_NOT_FOUND. */
  async lock(tx: Queryable, { vaultId, accountId }: VaultIdentity): Promise<void> {
    const locked = await tx.query(lockVault, [vaultId, accountId]);
    if (locked.length === 0) throw new AppError('VAULT_NOT_FOUND');
  }

  /**
   * Creates a folder in a locked tree and publishes it. Throws FOLDER_NOT_FOUND for the parent, FOLDER_NAME_TAKEN or 400.
   */
  async create(
    tx: Queryable,
    vaultId: string,
    place: Place,
    context: AccountContext,
    folderId: string = newId('fld_'),
  ): Promise<string> {
    const { parentId, name } = place;
    assertLevels((await this.#levelOf(tx, vaultId, parentId)) + 1);
    const values = [vaultId, folderId, parentId, name, boundedNameKey(name)];
    await tx.query(insertFolder, values).catch(rejectTakenFolderName);
    const action = { ...vaultActionOf(context, vaultId), folder_id: folderId };
    await this.outbox.publish(tx, folderCreated, action, context);
    return folderId;
  }

  /** The id of the folder at a path `a/b/c` from the root; undefined when it does not exist. Throws 400. */
  async findPath(on: Queryable, vaultId: string, path: string): Promise<string | undefined> {
    const names = namesIn(path);
    const found = await walk(on, vaultId, names);
    return found.length === names.length ? found.at(-1) : undefined;
  }

  /**
   * The id of the folder at a path; creates and publishes the missing folders in the same transaction. Concurrent callers
   * wait for each other's commits, and so get the same folders. Throws VAULT_NOT_FOUND or 400.
   */
  async findOrCreatePath(
    tx: Queryable,
    vaultId: string,
    path: string,
    context: AccountContext,
  ): Promise<string> {
    const names = namesIn(path);
    await this.lock(tx, { vaultId, accountId: context.credential.accountId });
    const found = await walk(tx, vaultId, names);
    let folderId = found.at(-1) ?? null;
    for (const name of names.slice(found.length))
      folderId = await this.create(tx, vaultId, { parentId: folderId, name }, context);
    return folderId as string; // a path has one name at least
  }

  /** Renames or moves a folder in a locked tree. Throws FOLDER_NOT_FOUND, FOLDER_CYCLE, FOLDER_NAME_TAKEN or 400. */
  async change(tx: Queryable, vaultId: string, folderId: string, { parentId, name }: Move): Promise<void> {
    assertFolderId(folderId);
    const [height] = await tx.query<{ levels: number | null }>(measureHeight, [vaultId, folderId]);
    const levels = height?.levels ?? null;
    if (levels === null) throw new AppError('FOLDER_NOT_FOUND');
    assertLevels((await this.#levelOf(tx, vaultId, parentId ?? null, folderId)) + levels);
    const named = name === undefined ? [null, null] : [name, boundedNameKey(name)];
    const moved = [parentId !== undefined, parentId ?? null];
    await tx.query(changeFolder, [vaultId, folderId, ...named, ...moved]).catch(rejectTakenFolderName);
  }

  /** Deletes a folder in a locked tree. Throws FOLDER_NOT_FOUND or FOLDER_NOT_EMPTY. */
  async delete(tx: Queryable, vaultId: string, folderId: string): Promise<void> {
    assertFolderId(folderId);
    const [folder] = await tx.query<{ is_empty: boolean }>(findContents, [vaultId, folderId]);
    if (!folder) throw new AppError('FOLDER_NOT_FOUND');
    if (!folder.is_empty) throw new AppError('FOLDER_NOT_EMPTY');
    await tx.query(deleteFolder, [vaultId, folderId]);
  }

  /** The level of a folder, 0 for the root. Throws FOLDER_NOT_FOUND, or FOLDER_CYCLE when it is `moving` or below it. */
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

/** Throws FOLDER_NOT_FOUND for text that is no id of a folder. */
export function assertFolderId(folderId: string): void {
  if (!FOLDER_ID.test(folderId)) throw new AppError('FOLDER_NOT_FOUND');
}

/** The names of a path, which may start at the root with `/`; each must be a valid name of a folder: not empty, `.` or `..`. */
function namesIn(path: string): string[] {
  const names = path.replace(/^\//, '').split('/');
  if (names.length > FOLDER_LEVELS_MAX || !names.every(isFolderName))
    throw validationError({
      field: 'folder_path',
      message: `folder_path must be 1 to ${FOLDER_LEVELS_MAX} folder names with / between them`,
    });
  return names;
}

function isFolderName(name: string): boolean {
  try {
    decode(NewFolder, { name });
    return true;
  } catch {
    return false;
  }
}

/** The ids of the folders along a path, up to the first missing one. */
async function walk(on: Queryable, vaultId: string, names: readonly string[]): Promise<string[]> {
  const rows = await on.query<{ id: string }>(walkPath, [vaultId, names.map(boundedNameKey)]);
  return rows.map(({ id }) => id);
}

function assertLevels(levels: number): void {
  if (levels <= FOLDER_LEVELS_MAX) return;
  throw validationError({
    field: 'parent_id',
    message: `folders nest ${FOLDER_LEVELS_MAX} levels deep at most`,
  });
}

const rejectTakenFolderName = rejectTakenName('folders', 'FOLDER_NAME_TAKEN');

// Not FOR SHARE: two transactions that then update counters of the vault would deadlock.
const lockVault = statement(
  'vaults.lock-folder-tree',
  `SELECT 1 FROM ${EXCLUSIVE_LOCK}, vaults
    WHERE id = $1 AND account_id = $2 AND status = 'active' FOR NO KEY UPDATE OF vaults`,
);

const insertFolder = statement(
  'vaults.insert-folder',
  `INSERT INTO folders (vault_id, id, parent_id, name, folded_name) VALUES ($1, $2, $3, $4, $5)`,
);

const changeFolder = statement(
  'vaults.change-folder',
  `UPDATE folders
      SET name = coalesce($3::text, name), folded_name = coalesce($4::text, folded_name),
          parent_id = CASE WHEN $5::boolean THEN $6::text ELSE parent_id END,
          updated_at = greatest(now(), updated_at)
    WHERE vault_id = $1 AND id = $2`,
);

/** Folders and ingots that prevent the deletion of a folder. */
const CONTENTS = `
  SELECT 1 FROM folders c WHERE c.vault_id = f.vault_id AND c.parent_id = f.id
  UNION ALL
  SELECT 1 FROM ingots i WHERE i.vault_id = f.vault_id AND i.folder_id = f.id`;

const findContents = statement(
  'vaults.find-folder-contents',
  `SELECT NOT EXISTS (${CONTENTS}) AS is_empty FROM folders f WHERE vault_id = $1 AND id = $2`,
);

const deleteFolder = statement('vaults.delete-folder', `DELETE FROM folders WHERE vault_id = $1 AND id = $2`);

// The bounds end the recursion should the rows ever form a cycle.
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
     SELECT id, 1 AS level FROM folders WHERE vault_id = $1 AND parent_id IS NULL AND folded_name = ($2::text[])[1]
     UNION ALL
     SELECT f.id, walk.level + 1
       FROM walk JOIN folders f ON f.vault_id = $1 AND f.parent_id = walk.id AND f.folded_name = ($2::text[])[walk.level + 1])
   SELECT id FROM walk ORDER BY level`,
);
