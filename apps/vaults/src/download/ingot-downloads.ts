import { Injectable } from '@nestjs/common';
import { AppError, assertPoolsAvailable, type VaultContext } from '@vaultsvc/contracts';
import type { IngotDownload } from '@vaultsvc/contracts/vaults';
import { retryOnConflict } from '@vaultsvc/database';
import type { FoundIngot } from '../ingot/ingot-finder.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { VaultAuthorizer, type OpenVault } from '../session/vault-authorizer.js';
import { DownloadPreparation } from './download-preparation.js';

/** What is downloaded: how it is found, and whether its URL works repeatedly. */
export interface DownloadTarget {
  readonly vault_id: string;
  /** Finds the ingot once the token is verified. */
  readonly find: (vault: VaultIdentity) => Promise<FoundIngot>;
  readonly stream: boolean;
}

/** Issues download URLs. Throws in the order of AMB-13: what the token, the ingot, the pools and the version say. */
@Injectable()
export class IngotDownloads {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly downloads: DownloadPreparation,
  ) {}

  issue(target: DownloadTarget, context: VaultContext): Promise<IngotDownload> {
    return this.access.withOpenVault(target, context, 'read', (vault) =>
      // The content may be replaced while the URL is made; the URL must then give the new content.
      retryOnConflict(() => this.#issue(vault, target, context)),
    );
  }

  async #issue(
    vault: OpenVault,
    { find, stream }: DownloadTarget,
    context: VaultContext,
  ): Promise<IngotDownload> {
    const ingot = await find(vault.ids);
    assertPoolsAvailable(context, 'bandwidth');
    const content = { ...ingot, versionId: versionOf(ingot) };
    const prepared = await this.downloads.prepare(vault, content, stream, context);
    return {
      status: 'ready',
      download_url: prepared.url,
      ingot_id: ingot.ingotId,
      name: ingot.name,
      size_bytes: ingot.sizeBytes,
      content_type: ingot.contentType,
      original_filename: ingot.originalFilename,
      version_id: content.versionId,
      content_hash: prepared.contentHash,
      modified_at: prepared.modifiedAt,
      expires_at: prepared.expiresAt,
      stream,
    };
  }
}

function versionOf({ currentVersion }: FoundIngot): string {
  if (currentVersion === null) throw new AppError('INGOT_NOT_READY');
  return currentVersion;
}
