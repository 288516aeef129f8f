import type { BeforeApplicationShutdown, OnApplicationBootstrap, Provider, Type } from '@nestjs/common';
import { PeriodicJob } from './periodic-job.js';

/** Work that a service does again and again. Every copy of the service does it: what one holds, another skips. */
export interface Job {
  /** Seconds from the end of one run to the start of the next; a run that fails is repeated sooner. */
  readonly everySeconds: number;
  /** Works until nothing is due. */
  run(): Promise<void>;
}

/** For the providers of a module: these jobs, run from the start of the service to its stop. */
export function scheduled(...jobs: Type<Job>[]): Provider[] {
  const schedule = {
    provide: JobScheduler,
    useFactory: (...made: Job[]) => new JobScheduler(made),
    inject: jobs,
  };
  return [...jobs, schedule];
}

/** Runs the jobs of a service by themselves. */
export class JobScheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #repeating: readonly PeriodicJob[];

  constructor(jobs: readonly Job[]) {
    this.#repeating = jobs.map(repeatingOf);
  }

  onApplicationBootstrap(): void {
    for (const job of this.#repeating) job.start(0);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Waits for the runs that are under way; no other follows. */
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
