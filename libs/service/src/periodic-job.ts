import { Logger } from '@nestjs/common';

const AFTER_FAILURE_MS = 5_000;

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
  ) {}

  start(firstRunAfterMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, firstRunAfterMs);
  }

  /** Waits for the current run; no other follows. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      this.start(await this.work());
    } catch (error) {
      this.#logger.error({ msg: 'job failed', job: this.name, err: error });
      this.start(AFTER_FAILURE_MS);
    }
  }
}
