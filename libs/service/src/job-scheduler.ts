import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, Provider, Type } from '@nestjs/common';
import { PeriodicJob } from './periodic-job.js';

/** Periodic work of a service. Every instance runs it and skips rows that another instance has locked. */
export interface Job {
  /** Seconds from the end of one run to the start of the next; a failed run is retried sooner. */
  readonly everySeconds: number;
  /** Works until nothing is due. */
  run(): Promise<void>;
}

/** Providers for a module: the jobs, and the scheduler that runs them from start to shutdown of the service. */
export function scheduled(...jobs: Type<Job>[]): Provider[] {
  const schedule = {
    provide: JobScheduler,
    useFactory: (...made: Job[]) => new JobScheduler(made),
    inject: jobs,
  };
  return [...jobs, schedule];
}

/** A first run that takes longer, with a backlog to work off, delays the others no further. */
const FIRST_RUN_WAITS_MS = 250;

/** Runs the jobs of a service from bootstrap to shutdown. */
export class JobScheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #repeating: readonly PeriodicJob[];

  constructor(jobs: readonly Job[]) {
    this.#repeating = jobs.map(repeatingOf);
  }

  onApplicationBootstrap(): void {
    void this.#startAll();
  }

  /**
   * The first runs follow one another: at once, each would open a connection to PostgreSQL, and a service that starts while its
   * dependencies are busy would add to it.
   */
  async #startAll(): Promise<void> {
    await delay(0); // after everything else that begins with the service
    for (const job of this.#repeating)
      await Promise.race([job.runNow(), delay(FIRST_RUN_WAITS_MS, undefined, { ref: false })]);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Waits for current runs; no other follows. */
  async stop(): Promise<void> {
    await Promise.all(this.#repeating.map((job) => job.stop()));
  }
}

function repeatingOf(job: Job): PeriodicJob {
  return new PeriodicJob(job.constructor.name, async () => {
    await job.run();
    return job.everySeconds * 1_000;
  });
}
