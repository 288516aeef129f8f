import { ReportingConfig } from './config.js';
import { ArchiveEntries } from './audit/archive/archive-entries.job.js';
import { AuditArchive } from './audit/archive/audit-archive.js';
import { SegmentKeysRepository } from './audit/archive/segment-keys.repository.js';
import { SegmentObjects } from './audit/archive/segment-objects.js';
import { SegmentsRepository } from './audit/archive/segments.repository.js';
import { ActorNames } from './audit/actor-names.js';
import { AuditErasureRepository } from './audit/audit-erasure.repository.js';
import { AuditExportRepository } from './audit/audit-export.repository.js';
import { AuditListRepository } from './audit/audit-list.repository.js';
import { AuditPresenter } from './audit/audit-presenter.js';
import { AuditRepository } from './audit/audit.repository.js';
import { EraseDeletedVaults } from './audit/erase-deleted-vaults.job.js';
import { ListAudit } from './audit/list-audit.handler.js';
import { AuditLogConfig } from './settings/audit-log-config.js';
import { LogFiles } from './audit/log/log-files.js';
import { LogGenerations } from './audit/log/log-generations.js';
import { LogHeadsRepository } from './audit/log/log-heads.repository.js';
import { LogRepository } from './audit/log/log.repository.js';
import { PublishHeads } from './audit/log/publish-heads.job.js';
import { TransparencyLog } from './audit/log/transparency-log.js';
import { ReadAuditExport } from './audit/read-audit-export.handler.js';
import { ReadAuditIntegrity } from './audit/read-audit-integrity.handler.js';
import { ReadLogFile } from './audit/log/read-log-file.handler.js';
import { RecordAppEvent } from './audit/record-app-event.handler.js';
import { AuditSinksConfig } from './settings/audit-sinks-config.js';
import { ExtendFeed } from './audit/sinks/extend-feed.job.js';
import { FeedRepository } from './audit/sinks/feed.repository.js';
import { RegisterSinks } from './audit/sinks/register-sinks.job.js';
import { SinkBatchReader } from './audit/sinks/sink-batch-reader.js';
import { SinkRegistryRepository } from './audit/sinks/sink-registry.repository.js';
import { SinkWorkers } from './audit/sinks/sink-workers.js';
import { SinkRepository } from './audit/sinks/sink.repository.js';

export const auditHandlers = [ListAudit, RecordAppEvent, ReadAuditExport, ReadAuditIntegrity, ReadLogFile];

export const auditJobs = [EraseDeletedVaults, ArchiveEntries, PublishHeads, ExtendFeed, RegisterSinks];

export const auditProviders = [
  AuditRepository,
  AuditListRepository,
  ActorNames,
  AuditPresenter,
  AuditErasureRepository,
  AuditExportRepository,
  AuditArchive,
  SegmentsRepository,
  SegmentKeysRepository,
  SegmentObjects,
  LogFiles,
  LogGenerations,
  LogRepository,
  LogHeadsRepository,
  TransparencyLog,
  FeedRepository,
  SinkRepository,
  SinkRegistryRepository,
  SinkBatchReader,
  SinkWorkers,
  { provide: AuditLogConfig, useExisting: ReportingConfig },
  { provide: AuditSinksConfig, useExisting: ReportingConfig },
];
