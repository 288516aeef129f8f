import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { Folder, FolderQuery } from '@vaultsvc/contracts/vaults';
import {
  Database,
  epochSeconds,
  type Page,
  type Queryable,
  readPosition,
  statement,
  type Statement,
  toPage,
} from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { assertFolderId } from './folder-tree.js';

/** Reads folders with their current paths. */
@Injectable()
export class FolderRepository {
  constructor(private readonly database: Database) {}

  /** In the order of name prefixes. Throws VAULT_NOT_FOUND, or FOLDER_NOT_FOUND for an unknown parent. */
  async list(vault: VaultIdentity, query: FolderQuery): Promise<Page<Folder>> {
    const { parent_id: parentId, limit, cursor } = query;
    const [begin = null, id = null] = readPosition(cursor, 2) ?? [];
    await this.#assertScope(vault, parentId);
    const [list, scope]: [Statement, string[]] =
      parentId === undefined ? [listOfVault, []] : [listOfFolder, [parentId]];
    const values = [vault.vaultId, begin, id, limit + 1, ...scope];
    const rows = await this.database.query<Folder & { position: string }>(list, values);
    return toPage(rows, limit, (row) => [row.position, row.folder_id]);
  }

  /** One folder, in a transaction or without. Throws FOLDER_NOT_FOUND, also for an unknown vault. */
  async read(vault: VaultIdentity, folderId: string, on: Queryable = this.database): Promise<Folder> {
    assertFolderId(folderId);
    const [folder] = await on.query<Folder>(readFolder, [vault.vaultId, vault.accountId, folderId]);
    if (!folder) throw new AppError('FOLDER_NOT_FOUND');
    return folder;
  }

  /** Whether the account has this folder in this vault. */
  async has(vault: VaultIdentity, folderId: string): Promise<boolean> {
    const values = [vault.vaultId, vault.accountId, folderId];
    const [scope] = await this.database.query<{ is_parent_known: boolean }>(findScope, values);
    return scope?.is_parent_known ?? false;
  }

  async #assertScope(vault: VaultIdentity, parentId: string | undefined): Promise<void> {
    const values = [vault.vaultId, vault.accountId, parentId ?? null];
    const [scope] = await this.database.query<{ is_parent_known: boolean }>(findScope, values);
    if (!scope) throw new AppError('VAULT_NOT_FOUND');
    if (parentId !== undefined && !scope.is_parent_known) throw new AppError('FOLDER_NOT_FOUND');
  }
}

/**
 * Joins the path of a folder `f`. Trees have 32 levels at most; the bound ends the recursion should rows ever form a
 * cycle.
 */
const PATH = `
  CROSS JOIN LATERAL (
    WITH RECURSIVE up AS (
      SELECT f.parent_id AS id, f.name AS path, 1 AS level
      UNION ALL
      SELECT above.parent_id, above.name || '/' || up.path, up.level + 1
        FROM up JOIN folders above ON above.vault_id = f.vault_id AND above.id = up.id
       WHERE up.level <= 32)
    SELECT path FROM up WHERE id IS NULL) climbed`;

const COLUMNS = `f.id AS folder_id, f.vault_id, f.parent_id, f.name, climbed.path,
  ${epochSeconds('f.created_at')}, ${epochSeconds('f.updated_at')}`;

const findScope = statement(
  'vaults.find-folder-scope',
  `SELECT EXISTS (SELECT 1 FROM folders f WHERE f.vault_id = v.id AND f.id = $3::text) AS is_parent_known
     FROM vaults v WHERE v.id = $1 AND v.account_id = $2 AND v.status = 'active'`,
);

const readFolder = statement(
  'vaults.read-folder',
  `SELECT ${COLUMNS}
     FROM folders f JOIN vaults v ON v.id = f.vault_id AND v.account_id = $2 AND v.status = 'active' ${PATH}
    WHERE f.vault_id = $1 AND f.id = $3`,
);

// The page is limited before its paths are computed.
const listBy = (scope: string) => `
  SELECT ${COLUMNS}, left(f.folded_name, 64) AS position
    FROM (SELECT * FROM folders
           WHERE vault_id = $1 ${scope}
             AND ($2::text IS NULL OR (left(folded_name, 64), id) > ($2, $3))
           ORDER BY left(folded_name, 64), id LIMIT $4) f ${PATH}
   ORDER BY left(f.folded_name, 64), f.id`;

const listOfVault = statement('vaults.list-folders-of-vault', listBy(''));
const listOfFolder = statement('vaults.list-folders-of-folder', listBy('AND parent_id = $5'));
