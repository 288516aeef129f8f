import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { openRecordFolder } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { FolderRepository } from './folder.repository.js';
import { accountOf } from './open-folder.handler.js';
import { RecordFolderTree } from './record-folder-tree.js';

@Controller()
export class OpenRecordFolder {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly tree: RecordFolderTree,
    private readonly folders: FolderRepository,
  ) {}

  @Handles(openRecordFolder)
  async handle({ body }: Input<typeof openRecordFolder>, context: CallContext): Promise<void> {
    const { vault_id, folder_id: folderId, parent, name } = body;
    const caller = accountOf(context);
    const ids = { vaultId: vault_id, accountId: caller.credential.accountId };
    if (await this.folders.has(ids, folderId)) return;
    await this.transactions.run(ids, context.deadlineMs, (tx) =>
      this.tree.create(tx, ids, { folderId, parent, name }, caller),
    );
  }
}
