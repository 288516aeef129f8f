import { Controller } from '@nestjs/common';
import { AppError, assertPoolsAvailable, type Input, type VaultContext } from '@vaultsvc/contracts';
import { downloadIngot, type IngotDownload } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { retryOnConflict } from '@vaultsvc/database';
import { IngotFinder, type FoundIngot } from '../ingot/ingot-finder.js';
import { VaultAccess, type OpenVault } from '../session/vault-access.js';
import { DownloadPreparation } from './download-preparation.js';

@Controller()
export class DownloadIngot {
  constructor(
    private readonly access: VaultAccess,
    private readonly ingots: IngotFinder,
    private readonly downloads: DownloadPreparation,
  ) {}

  @Handles(downloadIngot)
  async handle(input: Input<typeof downloadIngot>, context: VaultContext): Promise<IngotDownload> {
    return this.access.withOpenVault(input.params, context, 'read', (vault) =>
      // The content may be replaced while the URL is made; the URL must then give the new content.
      retryOnConflict(() => this.#open(vault, input, context)),
    );
  }

  async #open(
    vault: OpenVault,
    { params, body: { stream } }: Input<typeof downloadIngot>,
    context: VaultContext,
  ): Promise<IngotDownload> {
    const ingot = await this.ingots.find(vault.ids, params.ingot_id);
    assertPoolsAvailable(context, 'bandwidth');
    const content = { ...ingot, versionId: versionOf(ingot) };
    const { url, expiresAt } = await this.downloads.prepare(vault, content, stream, context);
    return {
      status: 'ready',
      download_url: url,
      ingot_id: ingot.ingotId,
      name: ingot.name,
      size_bytes: ingot.sizeBytes,
      content_type: ingot.contentType,
      original_filename: ingot.originalFilename,
      expires_at: expiresAt,
      stream,
    };
  }
}

function versionOf({ currentVersion }: FoundIngot): string {
  if (currentVersion === null) throw new AppError('INGOT_NOT_READY');
  return currentVersion;
}
