/** Spaces the notifications of one instance evenly. */
export class SendRate {
  #freeAtMs = 0;

  constructor(private readonly perSecond: number) {}

  /** Milliseconds until the next one may be sent. */
  use(): number {
    const now = performance.now();
    const startMs = Math.max(now, this.#freeAtMs);
    this.#freeAtMs = startMs + 1_000 / this.perSecond;
    return startMs - now;
  }
}
