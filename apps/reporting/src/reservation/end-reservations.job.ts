import { Injectable } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { Gauge } from 'prom-client';
import { Pools } from '../pool/pools.js';
import { ReservationRepository } from './reservation.repository.js';

const BATCH_MAX = 500;

const held = new Gauge({
  name: 'vaultsvc_reservations_held_bytes',
  help: 'Storage that is held for uploads which are being created, of all copies; looked up twice a minute.',
});

/** Gives back what was held for uploads that nobody opened, and forgets what is long closed. Any number of copies may. */
@Injectable()
export class EndReservations implements Job {
  readonly everySeconds = 30;

  constructor(
    private readonly database: Database,
    private readonly reservations: ReservationRepository,
    private readonly pools: Pools,
  ) {}

  /** Works until nothing is due. */
  async run(): Promise<void> {
    while ((await this.#endExpired()) === BATCH_MAX);
    await this.reservations.forgetClosed();
    held.set(await this.reservations.heldBytes());
  }

  #endExpired(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const ended = await this.reservations.endExpired(tx, BATCH_MAX);
      await this.pools.draw(tx, ended);
      return ended.length;
    });
  }
}
