import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { downloadRecordFile, type RecordFileDownload } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { IngotDownloads } from '../download/ingot-downloads.js';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { vaultContextOf } from './vault-context.js';

@Controller()
export class DownloadRecordFile {
  constructor(
    private readonly ingots: IngotFinder,
    private readonly downloads: IngotDownloads,
  ) {}

  @Handles(downloadRecordFile)
  async handle(
    { body }: Input<typeof downloadRecordFile>,
    context: CallContext,
  ): Promise<RecordFileDownload> {
    const { vault_id, folder_id, reference } = body;
    const { download_url, expires_at } = await this.downloads.issue(
      { vault_id, stream: false, find: (vault) => this.ingots.findInFolder(vault, folder_id, reference) },
      vaultContextOf(context, body, 'read'),
    );
    return { download_url, expires_at };
  }
}
