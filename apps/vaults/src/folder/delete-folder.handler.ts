import { Inject, Injectable } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { deleteFolder, folderDeleted } from '@vaultsvc/contracts/vaults';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import { FolderTree } from './folder-tree.js';
import { assertMayWrite } from './may-write.js';
import { VaultTransactions } from '../vault/vault-transactions.js';

@Injectable()
export class DeleteFolder {
  constructor(
    @Inject(VaultTransactions) private readonly transactions: VaultTransactions,
    @Inject(FolderTree) private readonly tree: FolderTree,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  @Handles(deleteFolder)
  async handle({ params }: Input<typeof deleteFolder>, context: VaultContext): Promise<void> {
    assertMayWrite(context);
    const { vault_id: vaultId, folder_id } = params;
    const vault = { vaultId, accountId: context.credential.accountId };
    await this.transactions.run(vaultId, context.deadlineMs, async (tx) => {
      await this.tree.hold(tx, vault);
      await this.tree.remove(tx, vaultId, folder_id);
      const fact = { ...actionOf(context, vaultId), folder_id };
      await this.outbox.publish(tx, folderDeleted, fact, context);
    });
    this.outbox.wake();
  }
}
