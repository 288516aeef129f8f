import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import {
  ingotDeleted,
  linkOrphaned,
  sharingDisabled,
  vaultDeleted,
  type IngotAction,
  type OrphanedLink,
  type SharingAction,
  type VaultAction,
} from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { LinkTerminationRepository } from '../link/link-termination.repository.js';
import { SYSTEM } from '../link/link-events-sql.js';

/** Ends links with what they lead to, where vaults could not ask for it itself. */
@Injectable()
export class OnIngotsEnded {
  constructor(private readonly endings: LinkTerminationRepository) {}

  @Consumes(ingotDeleted)
  async ingotDeleted(deliveries: readonly Delivery<IngotAction>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries)
      await this.endings.remove(tx, { ...placeOf(payload), ingotId: payload.ingot_id }, requestId);
  }

  @Consumes(vaultDeleted)
  async vaultDeleted(deliveries: readonly Delivery<VaultAction>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries)
      await this.endings.remove(tx, placeOf(payload), requestId);
  }

  @Consumes(sharingDisabled)
  async sharingDisabled(deliveries: readonly Delivery<SharingAction>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { actor_type, actor_id, ingot_id: ingotId, link_id: linkId } = payload;
      const links = { ...placeOf(payload), ingotId, linkId };
      await this.endings.revoke(tx, links, { actor: { actor_type, actor_id }, requestId });
    }
  }

  /** One that came too late for the events above: nobody else will ever end it. */
  @Consumes(linkOrphaned)
  async linkOrphaned(deliveries: readonly Delivery<OrphanedLink>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { ingot_id: ingotId, link_id: linkId, is_ingot_gone } = payload;
      const links = { ...placeOf(payload), ingotId, linkId };
      if (is_ingot_gone) await this.endings.remove(tx, links, requestId);
      else await this.endings.revoke(tx, links, { actor: SYSTEM, requestId });
    }
  }
}

function placeOf({ account_id, vault_id }: Pick<VaultAction, 'account_id' | 'vault_id'>) {
  return { accountId: account_id, vaultId: vault_id, ingotId: null, linkId: null };
}
