import { Injectable } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { Gauge } from 'prom-client';
import { PoolUpdater } from '../pool/pool-updater.js';
import { ReservationRepository } from './reservation.repository.js';

const BATCH_MAX = 500;

const held = new Gauge({
  name: 'vaultsvc_reservations_held_bytes',
  help: 'Storage that is held for uploads which are being created, of all instances; updated twice a minute.',
});

/** Returns the storage of expired reservations and deletes old closed ones. Safe on any number of instances. */
@Injectable()
export class EndReservations implements Job {
  readonly everySeconds = 30;

  constructor(
    private readonly database: Database,
    private readonly reservations: ReservationRepository,
    private readonly pools: PoolUpdater,
  ) {}

  async run(): Promise<void> {
    while ((await this.#deleteExpired()) === BATCH_MAX);
    await this.reservations.deleteClosed();
    held.set(await this.reservations.heldBytes());
  }

  #deleteExpired(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const draws = await this.reservations.deleteExpired(tx, BATCH_MAX);
      await this.pools.draw(tx, draws);
      return draws.length;
    });
  }
}
