import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import {
  consumedLinkWithdrawn,
  sparklinkDeleted,
  type LinkAction,
  type WithdrawnLink,
} from '@vaultsvc/contracts/sparks';
import { Consumes } from '@vaultsvc/messaging';
import { TransferRevoker } from './transfer-revoker.js';

/** Revokes the downloads of a deleted SparkLink, or of a consumed one that its owner withdrew. Idempotent. */
@Controller()
export class OnLinksDeleted {
  constructor(private readonly revoker: TransferRevoker) {}

  @Consumes(sparklinkDeleted)
  apply(deliveries: readonly Delivery<LinkAction>[]): Promise<void> {
    return this.#revoke(deliveries);
  }

  @Consumes(consumedLinkWithdrawn)
  withdrawn(deliveries: readonly Delivery<WithdrawnLink>[]): Promise<void> {
    return this.#revoke(deliveries);
  }

  async #revoke(
    deliveries: readonly Delivery<{ readonly vault_id: string | null; readonly link_id: string }>[],
  ): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { vault_id, link_id: subject_id } = payload;
      if (vault_id !== null)
        await this.revoker.revoke({ vault_id, scope: 'dvak', subject_id, seal_epoch: null }, { requestId });
    }
  }
}
