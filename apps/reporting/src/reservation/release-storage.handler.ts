import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { releaseStorage, type ReservationMade } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { PoolUpdater } from '../pool/pool-updater.js';
import { ReservationRepository } from './reservation.repository.js';

@Controller()
export class ReleaseStorage {
  constructor(
    private readonly database: Database,
    private readonly reservations: ReservationRepository,
    private readonly pools: PoolUpdater,
  ) {}

  @Handles(releaseStorage)
  async handle({ body }: Input<typeof releaseStorage>): Promise<ReservationMade> {
    await this.database.transaction(async (tx) =>
      this.pools.draw(tx, await this.reservations.release(tx, body.account_id, body.reservation_id)),
    );
    return {};
  }
}
