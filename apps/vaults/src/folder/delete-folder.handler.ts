import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { deleteFolder, folderDeleted, vaultActionOf } from '@vaultsvc/contracts/vaults';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import { FolderTree } from './folder-tree.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

@Controller()
export class DeleteFolder {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly access: VaultAuthorizer,
    private readonly tree: FolderTree,
    private readonly outbox: Outbox,
  ) {}

  @Handles(deleteFolder)
  async handle({ params }: Input<typeof deleteFolder>, context: VaultContext): Promise<void> {
    const { vault_id: vaultId, folder_id } = params;
    const { ids, lock } = await this.access.authorize(params, context, 'write');
    await this.transactions.run(ids, context.deadlineMs, async (tx) => {
      await this.tree.lock(tx, ids);
      await lock(tx);
      await this.tree.delete(tx, vaultId, folder_id);
      const action = { ...vaultActionOf(context, vaultId), folder_id };
      await this.outbox.publish(tx, folderDeleted, action, context);
    });
  }
}
