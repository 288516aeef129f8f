interface PendingReply {
  readonly sinceTick: number;
  readonly reject: (error: Error) => void;
}

const TICK_MS = 50;

/**
 * Rejects replies that take longer than `timeoutMs`, measured in ticks of 50 ms of this process's event loop. A plain
 * timer fires before the socket is read, so a busy process would mistake its own delay for a dead Redis. One interval
 * serves all pending replies; without any it stops, so that an idle process sleeps.
 */
export class CommandTimeout {
  readonly #pending = new Set<PendingReply>();
  readonly #ticks: number;
  #timer: NodeJS.Timeout | undefined;
  #tick = 0;

  constructor(private readonly timeoutMs: number) {
    this.#ticks = Math.ceil(timeoutMs / TICK_MS);
  }

  /** Stops the interval; replies that are still pending never time out. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Settles as `reply` does, or rejects when the timeout expires first. */
  apply<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const pending = { sinceTick: this.#tick, reject };
      this.#pending.add(pending);
      this.#timer ??= setInterval(() => setImmediate(() => this.#advance()), TICK_MS).unref();
      reply.then(resolve, reject).finally(() => this.#pending.delete(pending));
    });
  }

  /** A Set iterates in insertion order, so the first reply that is still in time ends the loop. */
  #advance(): void {
    this.#tick += 1;
    if (this.#pending.size === 0) this.stop();
    for (const pending of this.#pending) {
      if (this.#tick - pending.sinceTick < this.#ticks) return;
      this.#pending.delete(pending);
      pending.reject(new Error(`no answer within ${this.timeoutMs} ms`));
    }
  }
}
