import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { readFolder, type Folder } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { FolderRepository } from './folder.repository.js';

@Controller()
export class ReadFolder {
  constructor(private readonly folders: FolderRepository) {}

  @Handles(readFolder)
  async handle({ params }: Input<typeof readFolder>, context: VaultContext): Promise<Folder> {
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    return this.folders.read(vault, params.folder_id);
  }
}
