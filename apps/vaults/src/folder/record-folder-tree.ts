import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { statement, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { boundedNameKey } from '../keys/name-key.js';
import { FolderTree, type Place } from './folder-tree.js';

/** A folder with a given id, in a parent at the root. */
export interface NamedFolder {
  readonly folderId: string;
  readonly parent: string;
  readonly name: string;
}

/** Creates folders of records: by their id alone, because several records and portals may have the same name (CRA-04). */
@Injectable()
export class RecordFolderTree {
  constructor(private readonly tree: FolderTree) {}

  /** Creates the folder unless the vault has it. Locks the tree. Throws VAULT_NOT_FOUND or 400. */
  async create(
    tx: Queryable,
    vault: VaultIdentity,
    { folderId, parent, name }: NamedFolder,
    context: AccountContext,
  ): Promise<void> {
    const { vaultId } = vault;
    await this.tree.lock(tx, vault);
    if ((await tx.query(findFolder, [vaultId, folderId])).length > 0) return;
    const parentId = await this.tree.findOrCreatePath(tx, vaultId, parent, context);
    const place = await freePlace(tx, vaultId, { parentId, name });
    await this.tree.create(tx, vaultId, place, context, folderId);
  }
}

/** The name itself, or with the first number that no sibling has. */
async function freePlace(tx: Queryable, vaultId: string, { parentId, name }: Place): Promise<Place> {
  const [free] = await tx.query<{ suffix: string }>(findFreeSuffix, [
    vaultId,
    parentId,
    boundedNameKey(name),
  ]);
  return { parentId, name: `${name}${free?.suffix}` };
}

const findFolder = statement(
  'vaults.find-record-folder',
  `SELECT 1 FROM folders WHERE vault_id = $1 AND id = $2`,
);

// Of one number more than there are siblings, one is free.
const findFreeSuffix = statement(
  'vaults.find-free-folder-name',
  `SELECT suffix
     FROM generate_series(1, (SELECT count(*) + 1 FROM folders WHERE vault_id = $1 AND parent_id = $2)) number,
          LATERAL (SELECT CASE number WHEN 1 THEN '' ELSE ' (' || number || ')' END) named (suffix)
    WHERE NOT EXISTS (SELECT 1 FROM folders
                       WHERE vault_id = $1 AND parent_id = $2 AND folded_name = $3::text || suffix)
    ORDER BY number LIMIT 1`,
);
