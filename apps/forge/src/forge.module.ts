import { Module, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { EnvelopeFilter } from '@vaultsvc/http';
import { RedisModule } from '@vaultsvc/limits';
import { Objects, ObjectsModule } from '@vaultsvc/objects';
import { ReadinessChecks, scheduled } from '@vaultsvc/service';
import { ErrorResponder } from './response/error-responder.js';
import { GuessLimiter } from './response/guess-limiter.js';
import { RequestLogger } from './response/request-logger.js';
import { ForgeConfig } from './config.js';
import { ChunkRows } from './download/chunk-rows.js';
import { DownloadController } from './download/download.controller.js';
import { DownloadTimes } from './download/lifeline.js';
import { RunningDownloads } from './download/running-downloads.js';
import { SendDownload } from './download/send-download.js';
import { StoredContent } from './download/stored-content.js';
import { DropOutlived } from './ending/drop-outlived.job.js';
import { ExpireUploads } from './ending/expire-uploads.job.js';
import { ForgetUploads } from './ending/forget-uploads.job.js';
import { OnLinksDeleted } from './ending/on-links-deleted.consumer.js';
import { OnVaultsChanged } from './ending/on-vaults-changed.consumer.js';
import { Revocations } from './ending/revocations.js';
import { RevokeTransfers } from './ending/revoke-transfers.handler.js';
import { SweepObjects } from './ending/sweep-objects.job.js';
import { SweepRepository } from './ending/sweep.repository.js';
import { UploadEndRepository } from './ending/upload-end.repository.js';
import { UploadEnds } from './ending/upload-ends.js';
import { HealthController } from './health/health.controller.js';
import { AdmitTransfer } from './istk/admit-transfer.handler.js';
import { ByteSteps } from './istk/byte-steps.js';
import { ForgetIstks } from './istk/forget-istks.job.js';
import { IstkRevocations } from './istk/istk-revocations.js';
import { IstkRepository } from './istk/istk.repository.js';
import { TellSent } from './istk/tell-sent.job.js';
import { ProgressController } from './progress/progress.controller.js';
import { ProgressRepository } from './progress/progress.repository.js';
import { exchanges } from './server/exchange.js';
import { PublicListener } from './server/public-listener.js';
import { RouteInterceptor } from './server/route-interceptor.js';
import { Activation } from './upload/activation.js';
import { AppendChunk } from './upload/append-chunk.controller.js';
import { CancelUpload } from './upload/cancel-upload.controller.js';
import { ChunkIntake } from './upload/chunk-intake.js';
import { ChunkRaces } from './upload/chunk-races.js';
import { ChunkSeats } from './upload/chunk-seats.js';
import { CreateUpload } from './upload/create-upload.controller.js';
import { Pace } from './upload/pace.js';
import { ReadOffset } from './upload/read-offset.controller.js';
import { UploadOpening } from './upload/upload-opening.js';
import { UploadRepository } from './upload/upload.repository.js';

@Module({
  imports: [RedisModule.forRoot(ForgeConfig), ObjectsModule.forRoot(ForgeConfig)],
  controllers: [
    HealthController,
    CreateUpload,
    AppendChunk,
    ReadOffset,
    CancelUpload,
    DownloadController,
    ProgressController,
  ],
  providers: [
    RequestLogger,
    GuessLimiter,
    ErrorResponder,
    PublicListener,
    IstkRepository,
    IstkRevocations,
    AdmitTransfer,
    ByteSteps,
    ChunkRows,
    StoredContent,
    DownloadTimes,
    RunningDownloads,
    SendDownload,
    ProgressRepository,
    Pace,
    UploadRepository,
    UploadOpening,
    ChunkRaces,
    ChunkSeats,
    ChunkIntake,
    Activation,
    UploadEndRepository,
    UploadEnds,
    SweepRepository,
    Revocations,
    RevokeTransfers,
    OnVaultsChanged,
    OnLinksDeleted,
    ...scheduled(TellSent, ForgetIstks, ExpireUploads, DropOutlived, SweepObjects, ForgetUploads),
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
