import { Injectable, Logger } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { activateVersion } from '@vaultsvc/contracts/vaults';
import type { FileVersion } from '@vaultsvc/crypto/container';
import { Bus } from '@vaultsvc/messaging';
import { UploadLifecycle } from '../cleanup/upload-lifecycle.js';
import { UploadTimeouts } from './upload-timeouts.js';

/** Asks vaults to make a finished upload the content of its ingot, before its uploader is answered. */
@Injectable()
export class VersionActivator {
  readonly #logger = new Logger('uploads');

  constructor(
    private readonly bus: Bus,
    private readonly ends: UploadLifecycle,
    private readonly pace: UploadTimeouts,
  ) {}

  /** Never fails: all bytes are there, and where vaults does not answer the event does it. */
  async activate(file: FileVersion, requestId: string): Promise<void> {
    try {
      if (!(await this.#isActivated(file, requestId))) await this.ends.refuse(file.versionId, requestId);
    } catch (error) {
      const { accountId, vaultId, ingotId, versionId } = file;
      const ids = { accountId, vaultId, ingotId, versionId };
      this.#logger.warn({ msg: 'the event will activate an upload', ...ids, requestId, err: error });
    }
  }

  async #isActivated(file: FileVersion, requestId: string): Promise<boolean> {
    const body = {
      account_id: file.accountId,
      vault_id: file.vaultId,
      ingot_id: file.ingotId,
      version_id: file.versionId,
      size_bytes: file.bytes,
    };
    const errand = serviceContext(requestId, Date.now() + this.pace.activationTimeoutMs);
    const { is_active: isActive } = await this.bus.call(activateVersion, { body }, errand);
    return isActive;
  }
}
