import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import {
  sparklinkAccessed,
  sparklinkCreated,
  sparklinkDeleted,
  sparklinkRevoked,
  type LinkAccess,
  type LinkAction,
  type LinkEvent,
} from '@vaultsvc/contracts/sparks';
import type { Transaction } from '@vaultsvc/database';
import { ConsumesPartitioned } from '@vaultsvc/messaging';
import { VaultCounters } from '../vault/vault-counters.repository.js';
import { LinkKeyRepository } from './link-key.repository.js';
import { LinkReconciler } from './link-reconciler.js';

/** A link of an ingot. */
type OfIngot<T extends LinkEvent> = T & { readonly vault_id: string };

/** Applies the events of links of ingots. Forge consumes the same events to end their downloads. */
@Controller()
export class OnLinks {
  constructor(
    private readonly reconciler: LinkReconciler,
    private readonly keys: LinkKeyRepository,
    private readonly vaults: VaultCounters,
  ) {}

  @ConsumesPartitioned('vault_id', sparklinkCreated)
  async created(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    for (const link of await this.#lockVaults(deliveries, tx)) await this.reconciler.linkCreated(tx, link);
  }

  /** Deletes the key of a consumed one-time link. Durable links have none. */
  @ConsumesPartitioned('vault_id', sparklinkAccessed)
  async accessed(deliveries: readonly Delivery<LinkAccess>[], tx: Transaction): Promise<void> {
    const links = await this.#lockVaults(deliveries, tx);
    await this.keys.shred(
      tx,
      links.map(({ link_id: linkId, account_id: accountId }) => ({ linkId, accountId })),
    );
  }

  @ConsumesPartitioned('vault_id', sparklinkDeleted)
  deleted(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    return this.#end(deliveries, tx);
  }

  /** Mostly follows an end by vaults itself, which left nothing to delete. But no wrap may outlive its link. */
  @ConsumesPartitioned('vault_id', sparklinkRevoked)
  revoked(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    return this.#end(deliveries, tx);
  }

  async #end(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    for (const { account_id, vault_id, asset_id, link_id } of await this.#lockVaults(deliveries, tx)) {
      const ingot = { accountId: account_id, vaultId: vault_id, ingotId: asset_id };
      await this.reconciler.linkEnded(tx, ingot, link_id);
    }
  }

  /** Vaults first, as in every other change of their shares and keys: a batch cannot deadlock. */
  async #lockVaults<T extends LinkEvent>(
    deliveries: readonly Delivery<T>[],
    tx: Transaction,
  ): Promise<readonly OfIngot<T>[]> {
    const links = deliveries.map(({ payload }) => payload).filter(isOfIngot);
    if (links.length > 0) await this.vaults.lock(tx, [...new Set(links.map(({ vault_id }) => vault_id))]);
    return links;
  }
}

function isOfIngot<T extends LinkEvent>(link: T): link is OfIngot<T> {
  return link.link_type === 'ingot' && link.vault_id !== null;
}
