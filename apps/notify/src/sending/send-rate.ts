/** Spaces the notifications that one instance gives to a provider evenly. */
export class SendRate {
  #freeAtMs = 0;

  constructor(private readonly perSecond: number) {}

  /** Milliseconds until the next one may be sent; 0: now. */
  get waitMs(): number {
    return Math.max(0, this.#freeAtMs - performance.now());
  }

  /** Records that one is sent. */
  use(): void {
    this.#freeAtMs = Math.max(performance.now(), this.#freeAtMs) + 1_000 / this.perSecond;
  }
}
