import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { downloadIngot, type IngotDownload } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { IngotDownloads } from './ingot-downloads.js';

@Controller()
export class DownloadIngot {
  constructor(
    private readonly ingots: IngotFinder,
    private readonly downloads: IngotDownloads,
  ) {}

  @Handles(downloadIngot)
  async handle(
    { params, body: { stream } }: Input<typeof downloadIngot>,
    context: VaultContext,
  ): Promise<IngotDownload> {
    const { vault_id, ingot_id } = params;
    return this.downloads.issue(
      { vault_id, stream, find: (vault) => this.ingots.find(vault, ingot_id) },
      context,
    );
  }
}
