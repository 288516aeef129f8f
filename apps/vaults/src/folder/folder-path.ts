import { Injectable } from '@nestjs/common';
import { decode, validationError, type AccountContext } from '@vaultsvc/contracts';
import { FOLDER_LEVELS_MAX, folderCreated, NewFolder, vaultActionOf } from '@vaultsvc/contracts/vaults';
import type { Queryable, Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { FolderTree } from './folder-tree.js';

/** Folders by the path that somebody writes: `a/b/c`, from the root of a vault. */
@Injectable()
export class FolderPaths {
  constructor(
    private readonly tree: FolderTree,
    private readonly outbox: Outbox,
  ) {}

  /** The id of the folder at a path; undefined when it is not there. Throws 400. */
  async find(on: Queryable, vaultId: string, path: string): Promise<string | undefined> {
    const names = namesIn(path);
    const found = await this.tree.walk(on, vaultId, names);
    return found.length === names.length ? found.at(-1) : undefined;
  }

  /**
   * The id of the folder at a path; what is not there of it is made and told in the same transaction. Callers at once
   * wait for one another until their commits, and so get the same folders. Throws VAULT_NOT_FOUND or 400.
   */
  async findOrCreatePath(
    tx: Transaction,
    vaultId: string,
    path: string,
    context: AccountContext,
  ): Promise<string> {
    const names = namesIn(path);
    await this.tree.lock(tx, { vaultId, accountId: context.credential.accountId });
    const found = await this.tree.walk(tx, vaultId, names);
    let folderId = found.at(-1) ?? null;
    for (const name of names.slice(found.length)) {
      folderId = await this.tree.insert(tx, vaultId, { parentId: folderId, name });
      const fact = { ...vaultActionOf(context, vaultId), folder_id: folderId };
      await this.outbox.publish(tx, folderCreated, fact, context);
    }
    return folderId as string; // a path has a name at least
  }
}

/** Each name of a path is one that a folder may have: none is empty, `.` or `..`. */
function namesIn(path: string): string[] {
  const names = path.split('/');
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
