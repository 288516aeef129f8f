import { Module } from '@nestjs/common';
import { RedisModule } from '@vaultsvc/limits';
import { scheduled } from '@vaultsvc/service';
import { ReportingConfig } from './config.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { PoolSnapshotPublisher } from './pool/pool-snapshot-publisher.js';
import { LoadPoolSnapshot } from './pool/load-pool-snapshot.handler.js';
import { Plans } from './pool/plan.js';
import { PoolRepository } from './pool/pool.repository.js';
import { Pools } from './pool/pools.js';
import { ReadPoolAvailability } from './pool/read-pool-availability.handler.js';
import { EndReservations } from './reservation/end-reservations.job.js';
import { ReleaseStorage } from './reservation/release-storage.handler.js';
import { ReservationRepository } from './reservation/reservation.repository.js';
import { ReserveStorage } from './reservation/reserve-storage.handler.js';
import { Booking } from './usage/booking.js';
import { OnBytesMoved } from './usage/on-bytes-moved.consumer.js';
import { OnEntropyGenerated } from './usage/on-entropy-generated.consumer.js';
import { OnSparksUsed } from './usage/on-sparks-used.consumer.js';
import { OnStructuredChanged } from './usage/on-structured-changed.consumer.js';
import { OnUsersAdded } from './usage/on-users-added.consumer.js';
import { OnVersionsChanged } from './usage/on-versions-changed.consumer.js';

@Module({
  imports: [RedisModule.forRoot(ReportingConfig)],
  providers: [
    Plans,
    PoolRepository,
    Pools,
    LedgerRepository,
    PoolSnapshotPublisher,
    LoadPoolSnapshot,
    ReadPoolAvailability,
    ReservationRepository,
    ReserveStorage,
    ReleaseStorage,
    ...scheduled(EndReservations),
    Booking,
    OnSparksUsed,
    OnUsersAdded,
    OnVersionsChanged,
    OnBytesMoved,
    OnStructuredChanged,
    OnEntropyGenerated,
  ],
})
export class ReportingModule {}
