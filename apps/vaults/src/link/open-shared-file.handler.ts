import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { openSharedFile, type SharedFile } from '@vaultsvc/contracts/vaults';
import { parseLinkCode } from '@vaultsvc/crypto/tokens';
import { Handles } from '@vaultsvc/messaging';
import { ConcurrentModification, retryOnConflict } from '@vaultsvc/database';
import { ShareKeyCache } from '../sharing/share-keys.js';
import { boundsOf, STREAM_SECONDS } from '../transfer/download-bounds.js';
import { TransferIssuer, type TransferOrder } from '../transfer/transfer-issuer.js';
import { FileKey } from '../keys/file-key.js';
import { OwnerPoolChecker } from './owner-pool-checker.js';
import {
  revoked,
  LinkedContentRepository,
  type LinkedContent,
  type VerifiedLink,
} from './linked-content.repository.js';

/** A link, with the code if it is a one-time link. */
interface OpenedLink extends VerifiedLink {
  readonly linkCode: string | null;
  /** Whether its URL can be used until it ends, to resume a broken download. */
  readonly isStream: boolean;
}

@Controller()
export class OpenSharedFile {
  constructor(
    private readonly contents: LinkedContentRepository,
    private readonly ownerPools: OwnerPoolChecker,
    private readonly keys: ShareKeyCache,
    private readonly issuer: TransferIssuer,
  ) {}

  @Handles(openSharedFile)
  async handle({ body }: Input<typeof openSharedFile>, context: CallContext): Promise<SharedFile> {
    const { account_id: accountId, vault_id: vaultId, ingot_id: ingotId } = body;
    const { link_id: linkId, link_code: linkCode, resume: isStream = false } = body;
    const link = { accountId, vaultId, ingotId, linkId, linkCode, isStream };
    if (body.describe) return { ...present(await this.#find(link)), download_url: null };
    await this.ownerPools.assertBandwidth(accountId, context);
    // The content may be replaced and the link may end while the URL is created.
    return retryOnConflict(() => this.#open(link, context));
  }

  /**
   * Forge admits the URL before the link is checked again. A link that ends before the check gives no URL; a link that ends
   * later revokes the ISTK at forge.
   */
  async #open(link: OpenedLink, context: CallContext): Promise<SharedFile> {
    const content = await this.#find(link);
    const fileKey = await this.#keyOf(content, link.linkCode);
    try {
      const content_hash = fileKey.openHash(content.sealedHash, content.sizeBytes);
      const { url, expiresAt } = await this.issuer.issue(fileKey, orderOf(link, content), context);
      const still = await this.#find(link);
      if (still.file.versionId !== content.file.versionId) throw new ConcurrentModification();
      const issued = { ...present(content), content_hash, download_url: url };
      return link.isStream ? { ...issued, expires_at: expiresAt } : issued;
    } finally {
      fileKey.wipe();
    }
  }

  #find(link: OpenedLink): Promise<LinkedContent> {
    return link.linkCode === null ? this.contents.byShare(link) : this.contents.byCode(link);
  }

  async #keyOf({ file, wrappedKey, shareKey }: LinkedContent, linkCode: string | null): Promise<FileKey> {
    if (shareKey)
      return this.keys.withKey(file, shareKey, (key) =>
        FileKey.open(key, file, wrappedKey, { holder: 'share' }),
      );
    const secret = parseLinkCode(linkCode ?? '');
    if (!secret) throw revoked();
    try {
      return FileKey.open(secret, file, wrappedKey, { holder: 'link' });
    } finally {
      secret.fill(0);
    }
  }
}

/**
 * The stream of a link lasts its 12 hours unused, too: its opener has nothing else to go on with once the link is consumed
 * (OPEN-22), while callers of the API get a new URL after an idle hour (FRG-27).
 */
function orderOf(
  { linkId, isStream }: OpenedLink,
  { name, sizeBytes, contentType }: LinkedContent,
): TransferOrder {
  return {
    operation: 'decrypt',
    ...boundsOf(sizeBytes, isStream),
    ...(isStream && { idle_seconds: STREAM_SECONDS }),
    size_bytes: sizeBytes,
    content_type: contentType,
    filename: name,
    dvak_id: linkId, // the end of the link revokes the ISTK
    user_id: null, // a visitor's account does not matter
    seal_epoch: null, // a seal does not (TRAP 100)
  };
}

function present({
  name,
  sizeBytes: size_bytes,
  contentType: content_type,
  modifiedAt,
  file,
}: LinkedContent) {
  return { name, size_bytes, content_type, version_id: file.versionId, modified_at: modifiedAt };
}
