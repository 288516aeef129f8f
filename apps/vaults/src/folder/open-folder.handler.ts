import { Controller } from '@nestjs/common';
import { type CallContext, type AccountContext, type Input } from '@vaultsvc/contracts';
import { openFolder, type OpenedFolder } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { FolderTree } from './folder-tree.js';
import { FolderRepository } from './folder.repository.js';

/** Opens the folder of an integration; concurrent callers get the same one. */
@Controller()
export class OpenFolder {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly tree: FolderTree,
    private readonly folders: FolderRepository,
  ) {}

  @Handles(openFolder)
  async handle({ body }: Input<typeof openFolder>, context: CallContext): Promise<OpenedFolder> {
    const caller = accountOf(context);
    const ids = { vaultId: body.vault_id, accountId: caller.credential.accountId };
    if (body.folder_id !== undefined && (await this.folders.has(ids, body.folder_id)))
      return { folder_id: body.folder_id };
    const folder_id = await this.transactions.run(ids, context.deadlineMs, (tx) =>
      this.tree.findOrCreatePath(tx, ids.vaultId, body.path, caller),
    );
    return { folder_id };
  }
}

/** The account in whose name an integration calls. */
export function accountOf(context: CallContext): AccountContext {
  if (!('accountId' in context.credential)) throw new Error('a folder is opened for an account');
  return { ...context, credential: context.credential };
}
