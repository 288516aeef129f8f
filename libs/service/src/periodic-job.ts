import { Logger } from '@nestjs/common';

const AFTER_FAILURE_MS = 5_000;

/**
 * A job: work that this process does again and again, one run after the other. Every copy of a service runs it, so its
 * statements skip what another copy has locked. A run that fails is logged and repeated.
 */
export class PeriodicJob {
  readonly #logger = new Logger('jobs');
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  /** `work` gives the milliseconds until its next run. */
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

  /** Waits for a run that is under way; no other follows. */
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
