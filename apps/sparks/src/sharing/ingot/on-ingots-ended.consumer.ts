import { Controller } from '@nestjs/common';
import { pickActor, type Delivery } from '@vaultsvc/contracts';
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
import { LinkTerminationRepository } from '../../link/link-termination.repository.js';
import { SYSTEM } from '../../link/link-events-sql.js';

/** Ends the links of deleted or unshared ingots when the call of vaults has failed. */
@Controller()
export class OnIngotsEnded {
  constructor(private readonly terminations: LinkTerminationRepository) {}

  @Consumes(ingotDeleted)
  async ingotDeleted(deliveries: readonly Delivery<IngotAction>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries)
      await this.terminations.remove(tx, { ...ingotLinksOf(payload), ingotId: payload.ingot_id }, requestId);
  }

  @Consumes(vaultDeleted)
  async vaultDeleted(deliveries: readonly Delivery<VaultAction>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries)
      await this.terminations.remove(tx, ingotLinksOf(payload), requestId);
  }

  @Consumes(sharingDisabled)
  async sharingDisabled(deliveries: readonly Delivery<SharingAction>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { ingot_id: ingotId, link_id: linkId } = payload;
      const links = { ...ingotLinksOf(payload), ingotId, linkId };
      await this.terminations.revoke(tx, links, { actor: pickActor(payload), requestId });
    }
  }

  /** A link that was created after the events above: no other event ends it. */
  @Consumes(linkOrphaned)
  async linkOrphaned(deliveries: readonly Delivery<OrphanedLink>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { ingot_id: ingotId, link_id: linkId, is_ingot_gone } = payload;
      const links = { ...ingotLinksOf(payload), ingotId, linkId };
      if (is_ingot_gone) await this.terminations.remove(tx, links, requestId);
      else await this.terminations.revoke(tx, links, { actor: SYSTEM, requestId });
    }
  }
}

function ingotLinksOf({ account_id, vault_id }: Pick<VaultAction, 'account_id' | 'vault_id'>) {
  return { accountId: account_id, vaultId: vault_id, ingotId: null, linkId: null };
}
