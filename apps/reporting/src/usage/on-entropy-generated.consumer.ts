import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { entropyGenerated } from '@vaultsvc/contracts/sparks';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { Booking } from './booking.js';

/** Random data that was given out (ENT-20): into the ledger, and out of the bandwidth pool. */
@Injectable()
export class OnEntropyGenerated {
  constructor(private readonly booking: Booking) {}

  @Consumes(entropyGenerated)
  apply(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    return this.booking.book(tx, deliveries);
  }
}
