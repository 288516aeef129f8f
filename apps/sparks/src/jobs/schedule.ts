import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DestroyEpochKeys } from './destroy-epoch-keys.job.js';
import { ExpireSparks } from './expire-sparks.job.js';
import { ForgetKindlings } from './forget-kindlings.job.js';

interface Job {
  /** Seconds from the end of one run to the start of the next. */
  readonly everySeconds: number;
  run(): Promise<void>;
}

/** Runs this service's jobs, each in every copy: their statements skip what another copy has locked. */
@Injectable()
export class Schedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('jobs');
  readonly #stop = new AbortController();
  readonly #jobs: readonly Job[];
  #running: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(ExpireSparks) expireSparks: ExpireSparks,
    @Inject(ForgetKindlings) forgetKindlings: ForgetKindlings,
    @Inject(DestroyEpochKeys) destroyEpochKeys: DestroyEpochKeys,
  ) {
    this.#jobs = [expireSparks, forgetKindlings, destroyEpochKeys];
  }

  onApplicationBootstrap(): void {
    this.#running = Promise.all(this.#jobs.map((job) => this.#repeat(job)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #repeat(job: Job): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await job
        .run()
        .catch((error: unknown) =>
          this.#logger.error({ msg: 'job failed', job: job.constructor.name, err: error }),
        );
      // An abort ends the wait early and is no error.
      await delay(job.everySeconds * 1_000, undefined, { signal }).catch(() => undefined);
    }
  }
}
