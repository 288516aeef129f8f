import { Injectable, Logger } from '@nestjs/common';
import { bytesDiscarded } from '@vaultsvc/contracts/forge';
import type { FileVersion } from '@vaultsvc/crypto/container';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';

/**
 * Publishes the received bytes of chunks that are not stored, because their senders lost a race, sent another length or
 * disconnected: they draw bandwidth as others do. The bytes that a killed process was receiving are not counted.
 */
@Injectable()
export class DiscardedBytes {
  readonly #logger = new Logger('uploads');

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Never throws: the response to the chunk does not depend on it. */
  async publish(file: FileVersion, bytes: number, requestId: string): Promise<void> {
    if (bytes === 0) return;
    const { accountId, vaultId, ingotId, versionId } = file;
    const ids = { account_id: accountId, vault_id: vaultId, ingot_id: ingotId, version_id: versionId };
    try {
      await this.outbox.publish(this.database, bytesDiscarded, { ...ids, bytes }, { requestId, accountId });
    } catch (error) {
      this.#logger.warn({ msg: 'discarded bytes are not counted', ...ids, bytes, requestId, err: error });
    }
  }
}
