import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import {
  structuredCreated,
  structuredOverwritten,
  structuredUpdated,
  structuredDeleted,
  structuredRemoved,
} from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { entriesOf } from '../ledger/entries.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { drawsOf } from '../pool/draws.js';
import { Pools } from '../pool/pools.js';

/** What structured ingots store, and what was written into them: into the ledger, and out of the pools. */
@Injectable()
export class OnStructuredChanged {
  constructor(
    @Inject(LedgerRepository) private readonly ledger: LedgerRepository,
    @Inject(Pools) private readonly pools: Pools,
  ) {}

  @Consumes(structuredCreated, structuredOverwritten, structuredUpdated, structuredDeleted, structuredRemoved)
  async apply(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    const entries = deliveries.flatMap(entriesOf);
    await this.ledger.append(tx, entries);
    await this.pools.draw(tx, drawsOf(entries));
  }
}
