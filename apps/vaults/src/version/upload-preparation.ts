import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import type { FileIds } from '@vaultsvc/crypto/container';
import { newId } from '@vaultsvc/crypto/encoding';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { OpenVault } from '../session/vault-access.js';
import { ShareKeyWrapper } from '../sharing/share-keys.js';
import { TransferIssuer, type IssuedTransfer } from '../transfer/transfer-issuer.js';
import { TransferRevocations } from '../transfer/transfer-revocations.js';
import { FileKey } from './file-key.js';
import { StorageReservations } from './storage-reservations.js';
import { VersionLifecycle } from './version-lifecycle.js';
import { VersionRepository, type NewVersion } from './version.repository.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

/** Seconds in which an upload has to begin (ING-10). */
const UPLOAD_ISTK_SECONDS = 86_400;

/** New content for an ingot, as it is announced. */
export interface UploadOrder {
  readonly ingotId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly originalFilename: string | null;
}

/** Writes the ingot and the version, if that is still possible; what it throws undoes everything. */
export type Write<T> = (tx: Transaction, version: NewVersion) => Promise<T>;

/** Where the bytes go, and what was written. */
export interface OpenedUpload<T> extends IssuedTransfer {
  readonly written: T;
}

/**
 * Opens uploads. In this order, so that nobody is given a URL for what is not there: room in the
 * pool, the keys, forge's consent, the commit. What fails gives the room back; an ISTK that nobody has does no harm.
 */
@Injectable()
export class UploadPreparation {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly reservations: StorageReservations,
    private readonly issuer: TransferIssuer,
    private readonly revocations: TransferRevocations,
    private readonly versions: VersionRepository,
    private readonly lifecycle: VersionLifecycle,
    private readonly wrapper: ShareKeyWrapper,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Throws QUOTA_EXCEEDED, what `write` throws, INTERNAL_ERROR when reporting or forge does not answer, or `Overtaken` when
   * its ingot begins or ceases to be shared meanwhile.
   */
  async prepare<T>(
    vault: OpenVault,
    order: UploadOrder,
    context: AccountContext,
    write: Write<T>,
  ): Promise<OpenedUpload<T>> {
    const file = { ...vault.ids, ingotId: order.ingotId, versionId: newId('ver_') };
    // Who begins again, because an answer was lost, needs no room for what nobody will send.
    const pending = await this.versions.pendingOf(file);
    await this.reservations.reserve(file, order.sizeBytes, pending, context);
    try {
      const { version, minted } = await this.#admit(file, vault, order, context);
      const written = await this.#commit(version, context, write);
      return { ...minted, written };
    } catch (error) {
      await this.reservations.release(file, context);
      throw error;
    }
  }

  async #admit(
    file: FileIds,
    { vaultKey, terms }: OpenVault,
    { sizeBytes, contentType, originalFilename, name }: UploadOrder,
    context: AccountContext,
  ): Promise<{ version: NewVersion; minted: IssuedTransfer }> {
    const fileKey = FileKey.draw(file);
    try {
      const wrappedKey = fileKey.underVaultKey(vaultKey);
      const transfer = {
        operation: 'encrypt',
        mode: 'once',
        bytes_max: sizeBytes,
        size_bytes: sizeBytes,
        content_type: contentType,
        filename: originalFilename ?? name,
        dvak_id: terms.dvakId,
        seal_epoch: terms.sealEpoch,
        ttlSeconds: UPLOAD_ISTK_SECONDS,
      } as const;
      const share = await this.wrapper.wrap(fileKey);
      const minted = await this.issuer.issue(fileKey, transfer, context);
      return { version: { ...file, sizeBytes, contentType, originalFilename, wrappedKey, share }, minted };
    } finally {
      fileKey.wipe();
    }
  }

  async #commit<T>(version: NewVersion, context: AccountContext, write: Write<T>): Promise<T> {
    const from = { requestId: context.requestId, accountId: version.accountId };
    const { written, superseded } = await this.transactions.run(version, context.deadlineMs, async (tx) => {
      const written = await write(tx, version);
      await this.wrapper.assertUnchanged(tx, version.ingotId, version.share);
      return { written, superseded: await this.lifecycle.open(tx, version, from) };
    });
    this.outbox.wake();
    for (const { vaultId, versionId } of superseded)
      await this.revocations.end(
        { vault_id: vaultId, scope: 'version', subject_id: versionId },
        context.requestId,
      );
    return written;
  }
}
