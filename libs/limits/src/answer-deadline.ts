interface Waiting {
  readonly sinceTick: number;
  readonly reject: (error: Error) => void;
}

const TICK_MS = 50;

/**
 * Gives up on answers that do not come. Time is counted in ticks of our own event loop: a process that was too busy
 * to read its socket must not take Redis for dead, and under load that is exactly what a plain timer does, because
 * timers run before the socket is read. One interval serves all waiting calls.
 */
export class AnswerDeadline {
  readonly #waiting = new Set<Waiting>();
  readonly #ticks: number;
  readonly #timer: NodeJS.Timeout;
  #tick = 0;

  constructor(private readonly withinMs: number) {
    this.#ticks = Math.ceil(withinMs / TICK_MS);
    this.#timer = setInterval(() => setImmediate(() => this.#advance()), TICK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The answer, or an error when it takes longer than allowed. */
  bound<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting = { sinceTick: this.#tick, reject };
      this.#waiting.add(waiting);
      answer.then(resolve, reject).finally(() => this.#waiting.delete(waiting));
    });
  }

  /** A set keeps its order, so the first that is in time ends the look. */
  #advance(): void {
    this.#tick += 1;
    for (const waiting of this.#waiting) {
      if (this.#tick - waiting.sinceTick < this.#ticks) return;
      this.#waiting.delete(waiting);
      waiting.reject(new Error(`no answer within ${this.withinMs} ms`));
    }
  }
}
