import { EventEmitter } from 'node:events';

/** Lets one loop wait for a wake. A wake that arrives while the loop is working is kept for its next wait. */
export class WakeSignal {
  readonly #wakes = new EventEmitter();
  #isWoken = false;

  wake(): void {
    this.#isWoken = true;
    this.#wakes.emit('wake');
  }

  /** Resolves at the next wake, after `withinMs` or when the signal aborts. Returns whether there was a wake. */
  async next(withinMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#isWoken && !signal.aborted) await this.#wait(withinMs, signal);
    const isWoken = this.#isWoken;
    this.#isWoken = false;
    return isWoken;
  }

  #wait(withinMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakes.off('wake', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.#wakes.once('wake', done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
