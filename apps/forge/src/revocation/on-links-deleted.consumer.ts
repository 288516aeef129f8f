import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { sparklinkDeleted, type LinkAction } from '@vaultsvc/contracts/sparks';
import { Consumes } from '@vaultsvc/messaging';
import { TransferRevoker } from './transfer-revoker.js';

/** Revokes the downloads of a deleted SparkLink. Idempotent. */
@Controller()
export class OnLinksDeleted {
  constructor(private readonly revoker: TransferRevoker) {}

  @Consumes(sparklinkDeleted)
  async apply(deliveries: readonly Delivery<LinkAction>[]): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { vault_id, link_id: subject_id } = payload;
      if (vault_id !== null)
        await this.revoker.revoke({ vault_id, scope: 'dvak', subject_id, seal_epoch: null }, { requestId });
    }
  }
}
