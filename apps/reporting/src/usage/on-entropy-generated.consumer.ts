import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { entropyGenerated } from '@vaultsvc/contracts/sparks';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { entriesOf } from '../ledger/entries.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { drawsOf } from '../pool/draws.js';
import { Pools } from '../pool/pools.js';

/** Random data that was given out (ENT-20): into the ledger, and out of the bandwidth pool. */
@Injectable()
export class OnEntropyGenerated {
  constructor(
    @Inject(LedgerRepository) private readonly ledger: LedgerRepository,
    @Inject(Pools) private readonly pools: Pools,
  ) {}

  @Consumes(entropyGenerated)
  async apply(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    const entries = deliveries.flatMap(entriesOf);
    await this.ledger.append(tx, entries);
    await this.pools.draw(tx, drawsOf(entries));
  }
}
