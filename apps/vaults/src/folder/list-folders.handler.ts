import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { listFolders, type FolderPage } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { FolderRepository } from './folder.repository.js';

@Controller()
export class ListFolders {
  constructor(private readonly folders: FolderRepository) {}

  @Handles(listFolders)
  async handle({ params, query }: Input<typeof listFolders>, context: VaultContext): Promise<FolderPage> {
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    const { rows, ...page } = await this.folders.list(vault, query);
    return { folders: [...rows], ...page };
  }
}
