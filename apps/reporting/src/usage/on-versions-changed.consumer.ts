import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import {
  versionActivated,
  versionDropped,
  versionOpened,
  versionReleased,
  type SizedVersion,
  type VersionRef,
} from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { entriesOf } from '../ledger/ledger-entries.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { drawsOf, PoolUpdater } from '../pool/pool-updater.js';
import { ReservationRepository, type Settlement } from '../reservation/reservation.repository.js';

/** The status of a version's reservation after an event. Other events do not change it. */
const statusAfter: ReadonlyMap<string, Settlement['status']> = new Map([
  [versionOpened.name, 'confirmed'],
  [versionActivated.name, 'closed'],
  [versionDropped.name, 'closed'],
]);

/** Settles the reservations of versions, and books the storage of their content. */
@Controller()
export class OnVersionsChanged {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly reservations: ReservationRepository,
    private readonly pools: PoolUpdater,
  ) {}

  @Consumes(versionOpened, versionActivated, versionDropped, versionReleased)
  async apply(deliveries: readonly Delivery<VersionRef | SizedVersion>[], tx: Transaction): Promise<void> {
    const entries = deliveries.flatMap(entriesOf);
    await this.ledger.append(tx, entries);
    const reserved = await this.reservations.settle(tx, settlementsOf(deliveries));
    await this.pools.draw(tx, [...drawsOf(entries), ...reserved]);
  }
}

/** One settlement per version. `closed` wins, in whatever order the events arrive. */
function settlementsOf(deliveries: readonly Delivery<VersionRef | SizedVersion>[]): Settlement[] {
  const settlements = new Map<string, Settlement>();
  for (const { name, payload } of deliveries) {
    const { version_id: id, account_id: accountId } = payload;
    const status = statusAfter.get(name);
    if (!status || settlements.get(id)?.status === 'closed') continue;
    settlements.set(id, { id, accountId, status, bytes: 'size_bytes' in payload ? payload.size_bytes : 0 });
  }
  return [...settlements.values()];
}
