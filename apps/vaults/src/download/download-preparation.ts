import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { STREAM_IDLE_SECONDS } from '@vaultsvc/contracts/forge';
import { ingotDownloaded, vaultActionOf } from '@vaultsvc/contracts/vaults';
import type { FileIds } from '@vaultsvc/crypto/container';
import { Outbox } from '@vaultsvc/messaging';
import { ConcurrentModification } from '@vaultsvc/database';
import type { FoundIngot } from '../ingot/ingot-finder.js';
import type { LockVault, OpenVault } from '../session/vault-authorizer.js';
import { boundsOf } from '../transfer/download-bounds.js';
import { TransferIssuer, type IssuedTransfer, type TransferOrder } from '../transfer/transfer-issuer.js';
import { FileKey } from '../keys/file-key.js';
import { VersionRepository } from '../version/version.repository.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

/** The current content of an ingot. */
export interface Content extends FoundIngot {
  readonly versionId: string;
}

/** A URL with its expiry as callers see it, and what is stored of the content. */
export interface PreparedDownload extends Pick<IssuedTransfer, 'url' | 'expiresAt'> {
  /** null: the version has none. */
  readonly contentHash: string | null;
  /** Epoch seconds; null: unknown. */
  readonly modifiedAt: number | null;
}

/**
 * Prepares downloads. Forge admits the URL before the commit that locks the access token: a seal that commits first
 * prevents the answer, a seal that commits later finds the ISTK at forge and revokes it.
 */
@Injectable()
export class DownloadPreparation {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly versions: VersionRepository,
    private readonly issuer: TransferIssuer,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The URL, and what callers see with it. Throws `ConcurrentModification` when the content has been replaced,
   * AUTHENTICATION_ERROR when the access token has ended, INTERNAL_ERROR when forge does not answer.
   */
  async prepare(
    vault: OpenVault,
    content: Content,
    isStream: boolean,
    context: AccountContext,
  ): Promise<PreparedDownload> {
    const { ingotId, versionId } = content;
    const file = { ...vault.ids, ingotId, versionId };
    const { url, issuedAt, expiresAt, ...described } = await this.#admit(
      file,
      vault,
      orderOf(content, vault, isStream, context),
      context,
    );
    await this.#commit(file, vault.lock, context);
    // Callers see the first idle timeout of a streaming URL (AMB-47).
    return { url, expiresAt: isStream ? issuedAt + STREAM_IDLE_SECONDS : expiresAt, ...described };
  }

  async #admit(
    file: FileIds,
    { vaultKey }: OpenVault,
    order: TransferOrder,
    context: AccountContext,
  ): Promise<IssuedTransfer & Omit<PreparedDownload, 'url' | 'expiresAt'>> {
    const stored = await this.versions.find(file);
    if (!stored) throw new ConcurrentModification();
    const fileKey = FileKey.open(vaultKey, file, stored.wrappedKey);
    try {
      const contentHash = fileKey.openHash(stored.sealedHash, order.size_bytes);
      const transfer = await this.issuer.issue(fileKey, order, context);
      return { ...transfer, contentHash, modifiedAt: stored.modifiedAt };
    } finally {
      fileKey.wipe();
    }
  }

  async #commit(file: FileIds, lock: LockVault, context: AccountContext): Promise<void> {
    const { vaultId, ingotId: ingot_id } = file;
    await this.transactions.run(file, context.deadlineMs, async (tx) => {
      await lock(tx);
      if (!(await this.versions.isCurrent(file, tx))) throw new ConcurrentModification();
      await this.outbox.publish(
        tx,
        ingotDownloaded,
        { ...vaultActionOf(context, vaultId), ingot_id },
        context,
      );
    });
  }
}

function orderOf(
  content: Content,
  { terms }: OpenVault,
  isStream: boolean,
  { credential }: AccountContext,
): TransferOrder {
  const { sizeBytes } = content;
  return {
    operation: 'decrypt',
    ...boundsOf(sizeBytes, isStream),
    size_bytes: sizeBytes,
    content_type: content.contentType,
    filename: content.originalFilename ?? content.name,
    dvak_id: terms.dvakId,
    user_id: credential.userId,
    seal_epoch: terms.sealEpoch,
  };
}
