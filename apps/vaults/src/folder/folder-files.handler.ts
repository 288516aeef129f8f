import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { listFolderFiles, locateFile, type FolderFiles, type LocatedFile } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { IngotRepository } from '../ingot/ingot.repository.js';
import { VaultRepository } from '../vault/vault.repository.js';
import { accountOf } from './open-folder.handler.js';

/** Tells an integration which files its folder has. */
@Controller()
export class FolderFilesReader {
  constructor(
    private readonly vaults: VaultRepository,
    private readonly ingots: IngotRepository,
    private readonly finder: IngotFinder,
  ) {}

  @Handles(listFolderFiles)
  async list({ body }: Input<typeof listFolderFiles>, context: CallContext): Promise<FolderFiles> {
    const { vault_id, folder_id } = body;
    const { accountId } = accountOf(context).credential;
    await this.vaults.assertKnown({ vaultId: vault_id, accountId });
    return { files: folder_id === null ? [] : await this.ingots.inFolder(vault_id, folder_id) };
  }

  @Handles(locateFile)
  async locate({ body }: Input<typeof locateFile>, context: CallContext): Promise<LocatedFile> {
    const { accountId } = accountOf(context).credential;
    const { ingotId, folderId } = await this.finder.find(
      { vaultId: body.vault_id, accountId },
      body.reference,
    );
    return { ingot_id: ingotId, folder_id: folderId };
  }
}
