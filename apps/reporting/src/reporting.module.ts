import { Module } from '@nestjs/common';
import { poolSnapshotCache, RedisModule, sharedPoolKey } from '@vaultsvc/limits';
import { ObjectsModule } from '@vaultsvc/objects';
import { scheduled, servedShardProvider } from '@vaultsvc/service';
import { analyticsHandlers, analyticsProviders } from './analytics.providers.js';
import { auditHandlers, auditJobs, auditProviders } from './audit.providers.js';
import { billingControllers, billingJobs, billingProviders } from './billing.providers.js';
import { ReportingConfig } from './config.js';
import { OnEvents } from './events/on-events.consumer.js';
import { OwnAccounts } from './shards/own-accounts.js';
import { historyHandlers, historyJobs, historyProviders } from './history.providers.js';
import { ledgerHandlers, ledgerJobs, ledgerProviders } from './ledger.providers.js';
import { LoadPoolSnapshot } from './pool/load-pool-snapshot.handler.js';
import { Plans } from './pool/plans.js';
import { PoolSnapshotPublisher } from './pool/pool-snapshot-publisher.js';
import { PoolUpdater } from './pool/pool-updater.js';
import { PoolRepository } from './pool/pool.repository.js';
import { ReadPoolAvailability } from './pool/read-pool-availability.handler.js';
import { ReadPools } from './pool/read-pools.handler.js';
import { EndReservations } from './reservation/end-reservations.job.js';
import { ReleaseStorage } from './reservation/release-storage.handler.js';
import { ReservationRepository } from './reservation/reservation.repository.js';
import { ReserveStorage } from './reservation/reserve-storage.handler.js';

@Module({
  imports: [
    RedisModule.forRoot(ReportingConfig, [
      poolSnapshotCache(ReportingConfig),
      sharedPoolKey(ReportingConfig, { writes: true }),
    ]),
    ObjectsModule.forRoot(ReportingConfig),
  ],
  controllers: [
    LoadPoolSnapshot,
    ReadPoolAvailability,
    ReadPools,
    ReserveStorage,
    ReleaseStorage,
    OnEvents,
    ...ledgerHandlers,
    ...analyticsHandlers,
    ...auditHandlers,
    ...historyHandlers,
    ...billingControllers,
  ],
  providers: [
    servedShardProvider('reporting', ReportingConfig),
    OwnAccounts,
    Plans,
    PoolRepository,
    PoolUpdater,
    PoolSnapshotPublisher,
    ReservationRepository,
    ...ledgerProviders,
    ...analyticsProviders,
    ...auditProviders,
    ...historyProviders,
    ...billingProviders,
    ...scheduled(EndReservations, ...ledgerJobs, ...auditJobs, ...historyJobs, ...billingJobs),
  ],
})
export class ReportingModule {}
