import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { reserveStorage, type ReservationMade } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { PoolUpdater } from '../pool/pool-updater.js';
import { ReservationRepository } from './reservation.repository.js';

@Controller()
export class ReserveStorage {
  constructor(
    private readonly database: Database,
    private readonly reservations: ReservationRepository,
    private readonly pools: PoolUpdater,
  ) {}

  @Handles(reserveStorage)
  async handle({ body }: Input<typeof reserveStorage>): Promise<ReservationMade> {
    const { reservation_id: id, account_id: accountId, bytes, instead_of: insteadOf } = body;
    await this.database.transaction(async (tx) => {
      if (!(await this.reservations.insert(tx, { id, accountId, bytes, insteadOf }))) return;
      const endingBytes = await this.reservations.endingBytes(tx, accountId, insteadOf);
      await this.pools.reserve(tx, accountId, bytes, endingBytes); // throws without free storage, which rolls back the insert
    });
    return {};
  }
}
