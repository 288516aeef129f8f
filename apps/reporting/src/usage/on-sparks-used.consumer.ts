import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { sparkCreated, sparkDeleted, sparkExpired, sparkRead } from '@vaultsvc/contracts/sparks';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { Booking } from './booking.js';

/** Sparks that were created, read, deleted or expired: into the ledger, and out of the pools. */
@Injectable()
export class OnSparksUsed {
  constructor(private readonly booking: Booking) {}

  @Consumes(sparkCreated, sparkRead, sparkDeleted, sparkExpired)
  apply(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    return this.booking.book(tx, deliveries);
  }
}
