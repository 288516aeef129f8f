const USES_MAX = 10_000;

/**
 * A plaintext key in memory, for at most 10,000 uses. It is wiped after its eviction, once the last running use has ended:
 * no use ever sees a wiped key.
 */
export class CachedKey {
  #uses = 0;
  #running = 0;
  #isEvicted = false;

  /** `expiresAtMs` on the clock of `performance.now()`. */
  constructor(
    private readonly key: Buffer,
    private readonly expiresAtMs: number,
  ) {}

  /** Whether another use may start. */
  get isUsable(): boolean {
    return !this.#isEvicted && this.#uses < USES_MAX && performance.now() < this.expiresAtMs;
  }

  /** Passes the key to `work`. The caller checks `isUsable` first, without an `await` in between. */
  async use<T>(work: (key: Buffer) => T | Promise<T>): Promise<T> {
    this.#uses += 1;
    this.#running += 1;
    try {
      return await work(this.key);
    } finally {
      this.#running -= 1;
      this.#wipeWhenDone();
    }
  }

  /** As `use`, for work that does not wait. */
  useNow<T>(work: (key: Buffer) => T): T {
    this.#uses += 1;
    return work(this.key);
  }

  /** Ends all uses: wipes the key now, or when its last running use ends. */
  evict(): void {
    this.#isEvicted = true;
    this.#wipeWhenDone();
  }

  #wipeWhenDone(): void {
    if (this.#isEvicted && this.#running === 0) this.key.fill(0);
  }
}
