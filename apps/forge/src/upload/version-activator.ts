import { Injectable, Logger } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { activateVersion } from '@vaultsvc/contracts/vaults';
import type { FileVersion } from '@vaultsvc/crypto/container';
import { Bus } from '@vaultsvc/messaging';
import { UploadLifecycle } from '../cleanup/upload-lifecycle.js';
import { UploadTimeouts } from './upload-timeouts.js';

/** Activates the version of a finished upload in vaults, before the response to its last chunk. */
@Injectable()
export class VersionActivator {
  readonly #logger = new Logger('uploads');

  constructor(
    private readonly bus: Bus,
    private readonly lifecycle: UploadLifecycle,
    private readonly timeouts: UploadTimeouts,
  ) {}

  /** Never throws: the bytes are stored, and if vaults does not answer, the event activates the version. */
  async activate(file: FileVersion, sealedHash: Buffer | null, requestId: string): Promise<void> {
    try {
      if (!(await this.#isActivated(file, sealedHash, requestId)))
        await this.lifecycle.reject(file.versionId, requestId);
    } catch (error) {
      const { accountId, vaultId, ingotId, versionId } = file;
      const ids = { accountId, vaultId, ingotId, versionId };
      this.#logger.warn({ msg: 'the event will activate an upload', ...ids, requestId, err: error });
    }
  }

  async #isActivated(file: FileVersion, sealedHash: Buffer | null, requestId: string): Promise<boolean> {
    const body = {
      account_id: file.accountId,
      vault_id: file.vaultId,
      ingot_id: file.ingotId,
      version_id: file.versionId,
      size_bytes: file.bytes,
      sealed_hash: sealedHash?.toString('hex') ?? null,
    };
    const context = serviceContext({ requestId, deadlineMs: Date.now() + this.timeouts.activationTimeoutMs });
    const { is_active: isActive } = await this.bus.call(activateVersion, { body }, context);
    return isActive;
  }
}
