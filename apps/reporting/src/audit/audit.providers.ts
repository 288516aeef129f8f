import { ReportingConfig } from '../config.js';
import { AuditErasureRepository } from './audit-erasure.repository.js';
import { AuditExportRepository } from './audit-export.repository.js';
import { AuditListRepository } from './audit-list.repository.js';
import { AuditPresenter } from './audit-presenter.js';
import { AuditRepository } from './audit.repository.js';
import { EraseDeletedVaults } from './erase-deleted-vaults.job.js';
import { ListAudit } from './list-audit.handler.js';
import { AuditLogConfig } from './log/audit-log-config.js';
import { LogFiles } from './log/log-files.js';
import { LogHeadsRepository } from './log/log-heads.repository.js';
import { LogRepository } from './log/log.repository.js';
import { PublishHeads } from './log/publish-heads.job.js';
import { TransparencyLog } from './log/transparency-log.js';
import { ReadAuditExport } from './read-audit-export.handler.js';
import { ReadAuditIntegrity } from './read-audit-integrity.handler.js';
import { ReadLogFile } from './read-log-file.handler.js';
import { RecordAppEvent } from './record-app-event.handler.js';
import { AuditSinksConfig } from './sinks/audit-sinks-config.js';
import { ExtendFeed } from './sinks/extend-feed.job.js';
import { FeedRepository } from './sinks/feed.repository.js';
import { RegisterSinks } from './sinks/register-sinks.job.js';
import { SinkBatchReader } from './sinks/sink-batch-reader.js';
import { SinkRegistryRepository } from './sinks/sink-registry.repository.js';
import { SinkWorkers } from './sinks/sink-workers.js';
import { SinkRepository } from './sinks/sink.repository.js';

export const auditHandlers = [ListAudit, RecordAppEvent, ReadAuditExport, ReadAuditIntegrity, ReadLogFile];

export const auditJobs = [EraseDeletedVaults, PublishHeads, ExtendFeed, RegisterSinks];

export const auditProviders = [
  AuditRepository,
  AuditListRepository,
  AuditPresenter,
  AuditErasureRepository,
  AuditExportRepository,
  LogFiles,
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
