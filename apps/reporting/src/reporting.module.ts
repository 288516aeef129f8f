import { Module } from '@nestjs/common';
import { poolSnapshotCache, RedisModule } from '@vaultsvc/limits';
import { ObjectsModule } from '@vaultsvc/objects';
import { scheduled } from '@vaultsvc/service';
import { auditHandlers, auditJobs, auditProviders } from './audit/audit.providers.js';
import { billingControllers, billingJobs, billingProviders } from './billing/billing-parts.js';
import { ActivityRepository } from './analytics/activity.repository.js';
import { ListActivity } from './analytics/list-activity.handler.js';
import { ReadAnalyticsOverview } from './analytics/read-analytics-overview.handler.js';
import { ReadSparkActivity } from './analytics/read-spark-activity.handler.js';
import { ReadUsageOverTime } from './analytics/read-usage-over-time.handler.js';
import { UsageCounterRepository } from './analytics/usage-counter.repository.js';
import { ReportingConfig } from './config.js';
import { OnEvents } from './events/on-events.consumer.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { OnRepeatedEvents } from './ledger/on-repeated-events.consumer.js';
import { AggregateTransactions } from './ledger/aggregate-transactions.handler.js';
import { ListTransactions } from './ledger/list-transactions.handler.js';
import { RollUpLedger } from './ledger/roll-up-ledger.job.js';
import { RollUpRepository } from './ledger/roll-up.repository.js';
import { TransactionRepository } from './ledger/transaction.repository.js';
import { PoolSnapshotPublisher } from './pool/pool-snapshot-publisher.js';
import { LoadPoolSnapshot } from './pool/load-pool-snapshot.handler.js';
import { Plans } from './pool/plans.js';
import { PoolRepository } from './pool/pool.repository.js';
import { PoolUpdater } from './pool/pool-updater.js';
import { ReadPoolAvailability } from './pool/read-pool-availability.handler.js';
import { EndReservations } from './reservation/end-reservations.job.js';
import { ReleaseStorage } from './reservation/release-storage.handler.js';
import { ReservationRepository } from './reservation/reservation.repository.js';
import { ReserveStorage } from './reservation/reserve-storage.handler.js';

@Module({
  imports: [
    RedisModule.forRoot(ReportingConfig, [poolSnapshotCache(ReportingConfig)]),
    ObjectsModule.forRoot(ReportingConfig),
  ],
  controllers: [
    LoadPoolSnapshot,
    ReadPoolAvailability,
    ReserveStorage,
    ReleaseStorage,
    OnEvents,
    ...auditHandlers,
    ...billingControllers,
    OnRepeatedEvents,
    ListTransactions,
    AggregateTransactions,
    ReadAnalyticsOverview,
    ReadUsageOverTime,
    ListActivity,
    ReadSparkActivity,
  ],
  providers: [
    Plans,
    PoolRepository,
    PoolUpdater,
    LedgerRepository,
    TransactionRepository,
    RollUpRepository,
    UsageCounterRepository,
    ActivityRepository,
    PoolSnapshotPublisher,
    ReservationRepository,
    ...auditProviders,
    ...billingProviders,
    ...scheduled(EndReservations, ...auditJobs, ...billingJobs, RollUpLedger),
  ],
})
export class ReportingModule {}
