import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { readIngot, type IngotDetails } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { FileKey } from '../keys/file-key.js';
import { VaultAuthorizer, type OpenVault } from '../session/vault-authorizer.js';
import { IngotFinder } from './ingot-finder.js';
import { IngotRepository, type StoredContent } from './ingot.repository.js';

@Controller()
export class ReadIngot {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly finder: IngotFinder,
    private readonly ingots: IngotRepository,
  ) {}

  @Handles(readIngot)
  async handle({ params }: Input<typeof readIngot>, context: VaultContext): Promise<IngotDetails> {
    return this.access.withOpenVault(params, context, 'read', async (vault) => {
      const { ingotId } = await this.finder.find(vault.ids, params.ingot_id);
      const { metadata, content } = await this.ingots.read(vault.ids, ingotId);
      const version_id = content?.versionId ?? null;
      return { ...metadata, version_id, content_hash: content && hashOf(vault, ingotId, content) };
    });
  }
}

/** A version without a hash has a key, too, which need not be opened. */
function hashOf({ ids, vaultKey }: OpenVault, ingotId: string, content: StoredContent): string | null {
  const { versionId, sizeBytes, wrappedKey, sealedHash } = content;
  if (sealedHash === null) return null;
  const fileKey = FileKey.open(vaultKey, { ...ids, ingotId, versionId }, wrappedKey);
  try {
    return fileKey.openHash(sealedHash, sizeBytes);
  } finally {
    fileKey.wipe();
  }
}
