import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { Booking } from './booking.js';

/** What uploads and downloads have moved, whole or not (FRG-16): into the ledger, and out of the bandwidth pool. */
@Injectable()
export class OnBytesMoved {
  constructor(private readonly booking: Booking) {}

  @Consumes(uploadFinalized, uploadEnded, bytesSent)
  apply(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    return this.booking.book(tx, deliveries);
  }
}
