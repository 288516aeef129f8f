const USES_MAX = 10_000;

/**
 * A data key in clear, lent out and never handed over: it is wiped when it was evicted and the last borrower is done.
 * A borrower can therefore never meet a key of zeros.
 */
export class CachedKey {
  #uses = 0;
  #borrowers = 0;
  #isEvicted = false;

  /** `expiresAtMs` on the clock of `performance.now()`. */
  constructor(
    private readonly key: Buffer,
    private readonly expiresAtMs: number,
  ) {}

  get isUsable(): boolean {
    return !this.#isEvicted && this.#uses < USES_MAX && performance.now() < this.expiresAtMs;
  }

  /** Lends the key for the time that `use` takes. Ask `isUsable` first, without an await between. */
  async lend<T>(use: (key: Buffer) => T | Promise<T>): Promise<T> {
    this.#uses += 1;
    this.#borrowers += 1;
    try {
      return await use(this.key);
    } finally {
      this.#borrowers -= 1;
      this.#wipeWhenDone();
    }
  }

  evict(): void {
    this.#isEvicted = true;
    this.#wipeWhenDone();
  }

  #wipeWhenDone(): void {
    if (this.#isEvicted && this.#borrowers === 0) this.key.fill(0);
  }
}
