import { Controller } from '@nestjs/common';
import { validationError, type Input, type VaultContext } from '@vaultsvc/contracts';
import {
  type Folder,
  type FolderChange,
  folderChanged,
  updateFolder,
  vaultActionOf,
} from '@vaultsvc/contracts/vaults';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import { FolderTree } from './folder-tree.js';
import { FolderRepository } from './folder.repository.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

@Controller()
export class UpdateFolder {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly access: VaultAuthorizer,
    private readonly tree: FolderTree,
    private readonly folders: FolderRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(updateFolder)
  async handle({ params, body }: Input<typeof updateFolder>, context: VaultContext): Promise<Folder> {
    const { vault_id: vaultId, folder_id } = params;
    const { ids, lock } = await this.access.authorize(params, context, 'write');
    assertAny(body);
    return this.transactions.run(ids, context.deadlineMs, async (tx) => {
      await this.tree.lock(tx, ids);
      await lock(tx);
      await this.tree.change(tx, vaultId, folder_id, { name: body.name, parentId: body.parent_id });
      const action = { ...vaultActionOf(context, vaultId), folder_id };
      await this.outbox.publish(tx, folderChanged, action, context);
      return this.folders.read(ids, folder_id, tx);
    });
  }
}

function assertAny({ name, parent_id }: FolderChange): void {
  if (name !== undefined || parent_id !== undefined) return;
  throw validationError({ field: '', message: 'at least one of name and parent_id must be given' });
}
