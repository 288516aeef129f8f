import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';
import { entriesOf } from '../ledger/entries.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { drawsOf } from '../pool/draws.js';
import { Pools } from '../pool/pools.js';

/** Books what events say was used: into the ledger, and out of the pools. */
@Injectable()
export class Booking {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly pools: Pools,
  ) {}

  async book(tx: Transaction, deliveries: readonly Delivery[]): Promise<void> {
    const entries = deliveries.flatMap(entriesOf);
    await this.ledger.append(tx, entries);
    await this.pools.draw(tx, drawsOf(entries));
  }
}
