import { randomUUID } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicJob } from '@vaultsvc/service';
import { AuditSinksConfig } from '../../settings/audit-sinks-config.js';
import { HttpSink } from './http-sink.js';
import { S3Sink } from './s3-sink.js';
import { SinkBatchReader } from './sink-batch-reader.js';
import type { SinkSettings } from '../../settings/sink-settings.js';
import { SinkWorker } from './sink-worker.js';
import type { Sink } from './sink.js';
import { SinkRepository } from './sink.repository.js';

/** Runs a worker for each sink of the settings, from start to shutdown of the service. No worker waits for another one. */
@Injectable()
export class SinkWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  readonly #workers: readonly SinkWorker[];
  readonly #jobs: readonly PeriodicJob[];

  constructor(config: AuditSinksConfig, batches: SinkBatchReader, sinks: SinkRepository) {
    const owner = randomUUID();
    this.#workers = config.AUDIT_SINKS.map(
      (settings) => new SinkWorker(settings, owner, sinkOf(settings), batches, sinks),
    );
    this.#jobs = this.#workers.map(
      (worker) => new PeriodicJob(`audit-sink-${worker.name}`, () => worker.run(this.#stopping.signal)),
    );
  }

  onApplicationBootstrap(): void {
    for (const job of this.#jobs) job.start(0);
  }

  /** Aborts what is being sent, which is sent again: a sink that hangs does not delay the shutdown. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#jobs.map((job) => job.stop()));
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }
}

function sinkOf(settings: SinkSettings): Sink {
  return settings.kind === 'http' ? new HttpSink(settings) : new S3Sink(settings);
}
