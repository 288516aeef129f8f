import { Injectable } from '@nestjs/common';
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
import { Booking } from './booking.js';

/** What structured ingots store, and what was written into them: into the ledger, and out of the pools. */
@Injectable()
export class OnStructuredChanged {
  constructor(private readonly booking: Booking) {}

  @Consumes(structuredCreated, structuredOverwritten, structuredUpdated, structuredDeleted, structuredRemoved)
  apply(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    return this.booking.book(tx, deliveries);
  }
}
