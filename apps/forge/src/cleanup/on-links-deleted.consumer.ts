import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { sparklinkDeleted, type LinkAction } from '@vaultsvc/contracts/sparks';
import { Consumes } from '@vaultsvc/messaging';
import { TransferRevoker } from './transfer-revoker.js';

/** A link of an ingot was withdrawn by its code: downloads that it gave out end with it. Twice does no harm. */
@Injectable()
export class OnLinksDeleted {
  constructor(private readonly revocations: TransferRevoker) {}

  @Consumes(sparklinkDeleted)
  async apply(deliveries: readonly Delivery<LinkAction>[]): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { vault_id, link_id: subject_id } = payload;
      if (vault_id !== null)
        await this.revocations.revoke(
          { vault_id, scope: 'dvak', subject_id, seal_epoch: null },
          { requestId },
        );
    }
  }
}
