import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import {
  sparklinkAccessed,
  sparklinkCreated,
  sparklinkDeleted,
  sparklinkRevoked,
  type LinkAccess,
  type LinkAction,
} from '@vaultsvc/contracts/sparks';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { LinkArrivals } from './link-arrivals.repository.js';
import { LinkEnds } from './link-ends.js';
import { LinkKeyRepository, type OwnedLink } from './link-key.repository.js';
import { VaultCounters } from '../version/vault-counters.repository.js';

/** What sparks tells of links. Forge hears of the same ends and ends the downloads that they gave out. */
@Injectable()
export class OnLinks {
  constructor(
    @Inject(LinkArrivals) private readonly arrivals: LinkArrivals,
    @Inject(LinkEnds) private readonly ends: LinkEnds,
    @Inject(LinkKeyRepository) private readonly keys: LinkKeyRepository,
    @Inject(VaultCounters) private readonly vaults: VaultCounters,
  ) {}

  @Consumes(sparklinkCreated)
  async created(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    for (const { payload } of deliveries.filter(isOfIngot))
      if (payload.vault_id !== null) await this.arrivals.take(tx, { ...payload, vault_id: payload.vault_id });
  }

  /** A one-time link was consumed: what its code could open goes. Of a durable link there is no such key. */
  @Consumes(sparklinkAccessed)
  async accessed(deliveries: readonly Delivery<LinkAccess>[], tx: Transaction): Promise<void> {
    await this.keys.shred(tx, deliveries.filter(isOfIngot).map(ownedLink));
  }

  @Consumes(sparklinkDeleted)
  deleted(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    return this.#end(deliveries, tx);
  }

  /** Mostly an answer to an end of ours, which left nothing; but no wrap outlives its link, whoever ended it. */
  @Consumes(sparklinkRevoked)
  revoked(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    return this.#end(deliveries, tx);
  }

  async #end(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    const ours = deliveries.filter(isOfIngot).map(({ payload }) => payload);
    // First the vaults, as whatever else changes several ingots does: two batches never wait for each other in a circle.
    await this.vaults.hold(tx, [...new Set(ours.flatMap(({ vault_id }) => vault_id ?? []))]);
    for (const { account_id, vault_id, asset_id, link_id } of ours)
      if (vault_id !== null)
        await this.ends.end(tx, { accountId: account_id, vaultId: vault_id, ingotId: asset_id }, link_id);
  }
}

function isOfIngot({ payload }: Delivery<LinkAccess | LinkAction>): boolean {
  return payload.link_type === 'ingot';
}

function ownedLink({ payload }: Delivery<LinkAccess>): OwnedLink {
  return { linkId: payload.link_id, accountId: payload.account_id };
}
