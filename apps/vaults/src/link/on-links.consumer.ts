import { Injectable } from '@nestjs/common';
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
import { ConsumesBy } from '@vaultsvc/messaging';
import { LinkArrivals } from './link-arrivals.repository.js';
import { LinkEnds } from './link-ends.js';
import { LinkKeyRepository } from './link-key.repository.js';
import { VaultCounters } from '../version/vault-counters.repository.js';

/** A link of an ingot. */
type OfIngot<T extends LinkEvent> = T & { readonly vault_id: string };

/** What sparks tells of links. Forge hears of the same ends and ends the downloads that they gave out. */
@Injectable()
export class OnLinks {
  constructor(
    private readonly arrivals: LinkArrivals,
    private readonly ends: LinkEnds,
    private readonly keys: LinkKeyRepository,
    private readonly vaults: VaultCounters,
  ) {}

  @ConsumesBy('vault_id', sparklinkCreated)
  async created(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    for (const link of await this.#hold(deliveries, tx)) await this.arrivals.take(tx, link);
  }

  /** A one-time link was consumed: what its code could open goes. Of a durable link there is no such key. */
  @ConsumesBy('vault_id', sparklinkAccessed)
  async accessed(deliveries: readonly Delivery<LinkAccess>[], tx: Transaction): Promise<void> {
    const links = await this.#hold(deliveries, tx);
    await this.keys.shred(
      tx,
      links.map(({ link_id: linkId, account_id: accountId }) => ({ linkId, accountId })),
    );
  }

  @ConsumesBy('vault_id', sparklinkDeleted)
  deleted(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    return this.#end(deliveries, tx);
  }

  /** Mostly an answer to an end of ours, which left nothing; but no wrap outlives its link, whoever ended it. */
  @ConsumesBy('vault_id', sparklinkRevoked)
  revoked(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    return this.#end(deliveries, tx);
  }

  async #end(deliveries: readonly Delivery<LinkAction>[], tx: Transaction): Promise<void> {
    for (const { account_id, vault_id, asset_id, link_id } of await this.#hold(deliveries, tx))
      await this.ends.end(tx, { accountId: account_id, vaultId: vault_id, ingotId: asset_id }, link_id);
  }

  /** First the vault, as whatever else changes its shares and keys does: nobody waits for a batch in a circle. */
  async #hold<T extends LinkEvent>(
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
