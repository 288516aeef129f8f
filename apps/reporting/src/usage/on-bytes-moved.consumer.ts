import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { entriesOf } from '../ledger/entries.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { drawsOf } from '../pool/draws.js';
import { Pools } from '../pool/pools.js';

/** What uploads and downloads have moved, whole or not (FRG-16): into the ledger, and out of the bandwidth pool. */
@Injectable()
export class OnBytesMoved {
  constructor(
    @Inject(LedgerRepository) private readonly ledger: LedgerRepository,
    @Inject(Pools) private readonly pools: Pools,
  ) {}

  @Consumes(uploadFinalized, uploadEnded, bytesSent)
  async apply(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    const entries = deliveries.flatMap(entriesOf);
    await this.ledger.append(tx, entries);
    await this.pools.draw(tx, drawsOf(entries));
  }
}
