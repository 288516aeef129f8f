import { Module, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { EnvelopeFilter } from '@vaultsvc/http';
import { RedisModule } from '@vaultsvc/limits';
import { Objects, ObjectsModule } from '@vaultsvc/objects';
import { ReadinessChecks, scheduled } from '@vaultsvc/service';
import { DeleteDroppedUploads } from './cleanup/delete-dropped-uploads.job.js';
import { DeleteOrphanedObjects } from './cleanup/delete-orphaned-objects.job.js';
import { DropReplacedVersions } from './cleanup/drop-replaced-versions.job.js';
import { ExpireUploads } from './cleanup/expire-uploads.job.js';
import { ObjectCleanupRepository } from './cleanup/object-cleanup.repository.js';
import { UploadLifecycle } from './cleanup/upload-lifecycle.js';
import { UploadLifecycleRepository } from './cleanup/upload-lifecycle.repository.js';
import { ForgeConfig } from './config.js';
import { ByteMeter } from './download/byte-meter.js';
import { ChunkRepository } from './download/chunk.repository.js';
import { ContentReader } from './download/content-reader.js';
import { DownloadTimeouts } from './download/download-heartbeat.js';
import { DownloadLimit } from './download/download-limit.js';
import { DownloadSender } from './download/download-sender.js';
import { ContentDescriber } from './download/content-describer.js';
import { DownloadController } from './download/download.controller.js';
import { RunningDownloads } from './download/running-downloads.js';
import { SettleAbandonedDownloads } from './download/settle-abandoned-downloads.job.js';
import { BruteForceLimiter } from './exchange/brute-force-limiter.js';
import { ErrorResponder } from './exchange/error-responder.js';
import { exchanges } from './exchange/forge-exchange.js';
import { RequestLogger } from './exchange/request-logger.js';
import { AdmitTransfer } from './istk/admit-transfer.handler.js';
import { DeleteExpiredIstks } from './istk/delete-expired-istks.job.js';
import { IstkRevocationRepository } from './istk/istk-revocation.repository.js';
import { IstkRepository } from './istk/istk.repository.js';
import { ProgressController } from './progress/progress.controller.js';
import { ProgressRepository } from './progress/progress.repository.js';
import { OnLinksDeleted } from './revocation/on-links-deleted.consumer.js';
import { OnUsersRemoved } from './revocation/on-users-removed.consumer.js';
import { OnVaultsChanged } from './revocation/on-vaults-changed.consumer.js';
import { RevokeTransfers } from './revocation/revoke-transfers.handler.js';
import { TransferRevoker } from './revocation/transfer-revoker.js';
import { ForgeListener } from './server/forge-listener.js';
import { HealthController } from './server/health.controller.js';
import { RouteInterceptor } from './server/route-interceptor.js';
import { AppendChunkController } from './upload/append-chunk.controller.js';
import { CancelUploadController } from './upload/cancel-upload.controller.js';
import { ChunkConcurrencyLimit } from './upload/chunk-concurrency-limit.js';
import { ChunkHashRepository } from './upload/chunk-hash.repository.js';
import { ChunkRaces } from './upload/chunk-races.js';
import { ChunkReceiver } from './upload/chunk-receiver.js';
import { CreateUploadController } from './upload/create-upload.controller.js';
import { DiscardedBytes } from './upload/discarded-bytes.js';
import { HashSealer } from './upload/hash-sealer.js';
import { ReadOffsetController } from './upload/read-offset.controller.js';
import { UploadCreator } from './upload/upload-creator.js';
import { UploadTimeouts } from './upload/upload-timeouts.js';
import { UploadRepository } from './upload/upload.repository.js';
import { VersionActivator } from './upload/version-activator.js';

@Module({
  imports: [RedisModule.forRoot(ForgeConfig), ObjectsModule.forRoot(ForgeConfig)],
  controllers: [
    HealthController,
    CreateUploadController,
    AppendChunkController,
    ReadOffsetController,
    CancelUploadController,
    DownloadController,
    ProgressController,
    AdmitTransfer,
    RevokeTransfers,
    OnVaultsChanged,
    OnLinksDeleted,
    OnUsersRemoved,
  ],
  providers: [
    RequestLogger,
    BruteForceLimiter,
    ErrorResponder,
    ForgeListener,
    IstkRepository,
    IstkRevocationRepository,
    ByteMeter,
    ChunkRepository,
    ContentReader,
    DownloadTimeouts,
    DownloadLimit,
    RunningDownloads,
    ContentDescriber,
    DownloadSender,
    ProgressRepository,
    UploadTimeouts,
    UploadRepository,
    UploadCreator,
    ChunkHashRepository,
    ChunkRaces,
    HashSealer,
    ChunkConcurrencyLimit,
    ChunkReceiver,
    DiscardedBytes,
    VersionActivator,
    UploadLifecycleRepository,
    UploadLifecycle,
    ObjectCleanupRepository,
    TransferRevoker,
    ...scheduled(
      SettleAbandonedDownloads,
      DeleteExpiredIstks,
      ExpireUploads,
      DropReplacedVersions,
      DeleteOrphanedObjects,
      DeleteDroppedUploads,
    ),
    {
      provide: APP_FILTER,
      useFactory: (responder: ErrorResponder) => new EnvelopeFilter(exchanges, responder),
      inject: [ErrorResponder],
    },
    { provide: APP_INTERCEPTOR, useClass: RouteInterceptor },
  ],
})
export class ForgeModule implements OnModuleInit {
  constructor(
    private readonly readiness: ReadinessChecks,
    private readonly objects: Objects,
  ) {}

  onModuleInit(): void {
    this.readiness.add('objects', () => this.objects.check());
  }
}
