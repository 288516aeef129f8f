import { Logger } from '@nestjs/common';
import { runOutOfScope } from '@vaultsvc/telemetry';
import { Counter, Gauge } from 'prom-client';

const AFTER_FAILURE_MS = 5_000;

const lastSuccess = new Gauge({
  name: 'vaultsvc_job_last_success_timestamp_seconds',
  help: 'Unix time at which the last run of a job without an error ended in this process, by job; 0 before the first.',
  labelNames: ['job_name'],
});
const failures = new Counter({
  name: 'vaultsvc_job_failures_total',
  help: 'Runs of a job that ended with an error, by job.',
  labelNames: ['job_name'],
});

/**
 * Runs work periodically, never two runs at once. Every instance of a service runs it, so its statements skip rows that
 * another instance has locked. A failed run is logged and retried after 5 s.
 */
export class PeriodicJob {
  readonly #logger = new Logger('jobs');
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  /** @param work resolves to the milliseconds until its next run */
  constructor(
    private readonly name: string,
    private readonly work: () => Promise<number>,
  ) {
    lastSuccess.inc({ job_name: name }, 0); // so that a job that never succeeds has a series
    failures.inc({ job_name: name }, 0);
  }

  /** A request may start a job; its later lines are not of that request. */
  start(firstRunAfterMs: number): void {
    if (this.#stopped) return;
    this.#timer = runOutOfScope(() => setTimeout(() => void this.runNow(), firstRunAfterMs));
  }

  /** Runs it now, and periodically from then on. Resolves when this run has ended; a failure is logged. */
  runNow(): Promise<void> {
    if (!this.#stopped) this.#running = this.#run();
    return this.#running;
  }

  /** Waits for the current run; no other follows. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      const nextAfterMs = await this.work();
      lastSuccess.setToCurrentTime({ job_name: this.name });
      this.start(nextAfterMs);
    } catch (error) {
      failures.inc({ job_name: this.name });
      this.#logger.error({ msg: 'job failed', job: this.name, err: error });
      this.start(AFTER_FAILURE_MS);
    }
  }
}
