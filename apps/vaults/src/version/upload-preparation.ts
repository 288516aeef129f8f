import { Injectable, Logger } from '@nestjs/common';
import { serviceContext, type AccountContext, type CallContext } from '@vaultsvc/contracts';
import { releaseStorage, reserveStorage } from '@vaultsvc/contracts/reporting';
import type { FileIds } from '@vaultsvc/crypto/container';
import { newId } from '@vaultsvc/crypto/encoding';
import type { Transaction } from '@vaultsvc/database';
import { Bus } from '@vaultsvc/messaging';
import type { OpenVault } from '../session/vault-authorizer.js';
import { ShareKeyWrapper } from '../sharing/share-keys.js';
import { TransferIssuer, type IssuedTransfer } from '../transfer/transfer-issuer.js';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { FileKey } from '../keys/file-key.js';
import { VersionLifecycle } from './version-lifecycle.js';
import { VersionRepository, type NewVersion } from './version.repository.js';

/** Seconds until the upload must have begun (ING-10). */
const UPLOAD_ISTK_SECONDS = 86_400;
const RELEASE_WITHIN_MS = 2_000;

/** The announced content of an ingot. */
export interface UploadOrder {
  readonly ingotId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly originalFilename: string | null;
  /** Epoch seconds; null: unknown. */
  readonly modifiedAt: number | null;
}

/** Writes the ingot in the transaction of the version; an error rolls both back. */
export type Write<T> = (tx: Transaction, version: NewVersion) => Promise<T>;

/** The URL of the upload, and the result of `write`. */
export interface PreparedUpload<T> extends IssuedTransfer {
  readonly written: T;
}

/** Reserves storage in the account's pool for uploads. */
@Injectable()
export class StorageReservations {
  readonly #logger = new Logger('uploads');

  constructor(private readonly bus: Bus) {}

  /**
   * `insteadOf`: the version that this one supersedes, whose reservation is reused. Throws QUOTA_EXCEEDED, or
   * INTERNAL_ERROR when reporting does not answer.
   */
  async reserve(
    { accountId, versionId }: FileIds,
    bytes: number,
    insteadOf: string | undefined,
    context: CallContext,
  ): Promise<void> {
    const body = { account_id: accountId, reservation_id: versionId, bytes, instead_of: insteadOf };
    await this.bus.call(reserveStorage, { body }, serviceContext(context));
  }

  /** Releases an unused reservation. Never fails: an unconfirmed reservation expires after 10 minutes. */
  async release({ accountId, versionId }: FileIds, { requestId }: CallContext): Promise<void> {
    const body = { account_id: accountId, reservation_id: versionId };
    const context = serviceContext({ requestId, deadlineMs: Date.now() + RELEASE_WITHIN_MS });
    try {
      await this.bus.call(releaseStorage, { body }, context);
    } catch (error) {
      this.#logger.warn({ msg: 'a reservation will expire by itself', versionId, requestId, err: error });
    }
  }
}

/**
 * Prepares uploads in this order, so that every URL leads to a version that exists: storage reservation, keys, admission at
 * forge, commit. A failure releases the reservation; an ISTK that no caller received is harmless.
 */
@Injectable()
export class UploadPreparation {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly reservations: StorageReservations,
    private readonly issuer: TransferIssuer,
    private readonly transfers: ForgeRevocationClient,
    private readonly versions: VersionRepository,
    private readonly lifecycle: VersionLifecycle,
    private readonly wrapper: ShareKeyWrapper,
  ) {}

  /**
   * Throws QUOTA_EXCEEDED, the errors of `write`, INTERNAL_ERROR when reporting or forge does not answer, and
   * `ConcurrentModification` when the ingot is shared or unshared at the same time.
   */
  async prepare<T>(
    vault: OpenVault,
    order: UploadOrder,
    context: AccountContext,
    write: Write<T>,
  ): Promise<PreparedUpload<T>> {
    const file = { ...vault.ids, ingotId: order.ingotId, versionId: newId('ver_') };
    // A caller that retries after a lost answer reuses the reservation of the upload that it supersedes.
    const pending = await this.versions.pendingOf(file);
    await this.reservations.reserve(file, order.sizeBytes, pending, context);
    try {
      const { version, transfer } = await this.#admit(file, vault, order, context);
      return { ...transfer, written: await this.#commit(version, context, write) };
    } catch (error) {
      await this.reservations.release(file, context);
      throw error;
    }
  }

  async #admit(
    file: FileIds,
    { vaultKey, terms }: OpenVault,
    { name, ...content }: UploadOrder,
    context: AccountContext,
  ): Promise<{ version: NewVersion; transfer: IssuedTransfer }> {
    const { sizeBytes, contentType, originalFilename } = content;
    const fileKey = FileKey.draw(file);
    try {
      const order = {
        operation: 'encrypt',
        mode: 'once',
        bytes_max: sizeBytes,
        size_bytes: sizeBytes,
        content_type: contentType,
        filename: originalFilename ?? name,
        dvak_id: terms.dvakId,
        user_id: context.credential.userId,
        seal_epoch: terms.sealEpoch,
        ttlSeconds: UPLOAD_ISTK_SECONDS,
      } as const;
      const wrappedKey = fileKey.underVaultKey(vaultKey);
      const share = await this.wrapper.wrap(fileKey);
      const transfer = await this.issuer.issue(fileKey, order, context);
      return { version: { ...content, ...file, wrappedKey, share }, transfer };
    } finally {
      fileKey.wipe();
    }
  }

  async #commit<T>(version: NewVersion, context: AccountContext, write: Write<T>): Promise<T> {
    const { requestId, deadlineMs } = context;
    const from = { requestId, accountId: version.accountId };
    const { written, superseded } = await this.transactions.run(version, deadlineMs, async (tx) => {
      const written = await write(tx, version);
      await this.wrapper.assertUnchanged(tx, version.ingotId, version.share);
      return { written, superseded: await this.lifecycle.open(tx, version, from) };
    });
    for (const { vaultId: vault_id, versionId: subject_id } of superseded)
      await this.transfers.revoke({ vault_id, scope: 'version', subject_id }, requestId);
    return written;
  }
}
