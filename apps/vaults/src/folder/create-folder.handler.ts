import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { createFolder, type Folder } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import { FolderTree } from './folder-tree.js';
import { FolderRepository } from './folder.repository.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

@Controller()
export class CreateFolder {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly access: VaultAuthorizer,
    private readonly tree: FolderTree,
    private readonly folders: FolderRepository,
  ) {}

  @Handles(createFolder)
  async handle({ params, body }: Input<typeof createFolder>, context: VaultContext): Promise<Folder> {
    const { ids, lock } = await this.access.authorize(params, context, 'write');
    const place = { name: body.name, parentId: body.parent_id ?? null };
    return this.transactions.run(ids, context.deadlineMs, async (tx) => {
      await this.tree.lock(tx, ids);
      await lock(tx);
      const folderId = await this.tree.create(tx, ids.vaultId, place, context);
      return this.folders.read(ids, folderId, tx);
    });
  }
}
