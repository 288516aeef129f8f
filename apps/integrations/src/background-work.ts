import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';

/** Work that goes on after its request was answered: providers wait three seconds for an answer. */
@Injectable()
export class BackgroundWork implements BeforeApplicationShutdown {
  readonly #logger = new Logger('background');
  readonly #running = new Set<Promise<void>>();

  /** Starts the work; a failure is logged. @param about of the log entry, nothing secret */
  start(about: object, work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) =>
        this.#logger.error({ msg: 'work after an answer failed', ...about, err: error }),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Waits for all of it. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#running);
  }
}
