import { Injectable } from '@nestjs/common';
import { ConcurrentModification, type Queryable } from '@vaultsvc/database';
import { FileKey } from '../version/file-key.js';
import type { IngotOfVault } from './share.repository.js';
import { ShareKeyRepository } from './share-key.repository.js';
import { ShareKeys } from './share-keys.js';
import { ShareRepository } from './share.repository.js';

const BY_SHARE_KEY = { holder: 'share' } as const;

/** The key of a version under the share key of its vault, and which key that is. */
export interface ShareWrap {
  readonly keyId: string;
  readonly sharedKey: Buffer;
}

/**
 * Lets durable shares follow the content of their ingot: every version of a shared one carries its key under the share
 * key, from its upload's opening or from the beginning of the sharing (ADR 12).
 */
@Injectable()
export class ShareWraps {
  constructor(
    private readonly shares: ShareRepository,
    private readonly keyRows: ShareKeyRepository,
    private readonly keys: ShareKeys,
  ) {}

  /** For a version that is about to be written; null when its ingot is not shared. Throws `KmsUnavailable`. */
  async wrap(fileKey: FileKey): Promise<ShareWrap | null> {
    const share = await this.shares.find(fileKey.file.ingotId);
    if (!share) return null;
    const kept = await this.keyRows.find(fileKey.file);
    if (kept?.keyId !== share.keyId) throw new ConcurrentModification();
    const sharedKey = await this.keys.lend(fileKey.file, kept, (key) => fileKey.under(key, BY_SHARE_KEY));
    return { keyId: share.keyId, sharedKey };
  }

  /** In the transaction that writes the version: throws `ConcurrentModification` when sharing has begun or ended since `wrap`. */
  async assertStill(tx: Queryable, ingotId: string, wrap: ShareWrap | null): Promise<void> {
    const share = await this.shares.hold(tx, ingotId);
    if ((share?.keyId ?? null) !== (wrap?.keyId ?? null)) throw new ConcurrentModification();
  }

  /** For the versions of an ingot that begins to be shared and is held: of the current one and of a pending one. */
  async wrapAll(tx: Queryable, ingot: IngotOfVault, vaultKey: Buffer, shareKey: Buffer): Promise<void> {
    for (const { versionId, wrappedKey } of await this.shares.versionKeys(tx, ingot.ingotId)) {
      const fileKey = FileKey.open(vaultKey, { ...ingot, versionId }, wrappedKey);
      const sharedKey = fileKey.under(shareKey, BY_SHARE_KEY);
      fileKey.wipe();
      await this.shares.keepWrap(tx, versionId, sharedKey);
    }
  }
}
