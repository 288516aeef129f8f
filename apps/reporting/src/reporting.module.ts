import { Module } from '@nestjs/common';
import { poolSnapshotCache, RedisModule } from '@vaultsvc/limits';
import { ObjectsModule } from '@vaultsvc/objects';
import { scheduled } from '@vaultsvc/service';
import { AuditLogConfig } from './audit/log/audit-log-config.js';
import { LogFiles } from './audit/log/log-files.js';
import { LogRepository } from './audit/log/log.repository.js';
import { TransparencyLog } from './audit/log/transparency-log.js';
import { ReportingConfig } from './config.js';
import { AuditErasureRepository } from './audit/audit-erasure.repository.js';
import { AuditListRepository } from './audit/audit-list.repository.js';
import { AuditPresenter } from './audit/audit-presenter.js';
import { AuditRepository } from './audit/audit.repository.js';
import { EraseDeletedVaults } from './audit/erase-deleted-vaults.job.js';
import { ListAudit } from './audit/list-audit.handler.js';
import { RecordAppEvent } from './audit/record-app-event.handler.js';
import { OnEvents } from './events/on-events.consumer.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
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
    ListAudit,
    RecordAppEvent,
  ],
  providers: [
    Plans,
    PoolRepository,
    PoolUpdater,
    LedgerRepository,
    AuditRepository,
    AuditListRepository,
    AuditPresenter,
    AuditErasureRepository,
    PoolSnapshotPublisher,
    ReservationRepository,
    LogFiles,
    LogRepository,
    TransparencyLog,
    { provide: AuditLogConfig, useExisting: ReportingConfig },
    ...scheduled(EndReservations, EraseDeletedVaults),
  ],
})
export class ReportingModule {}
