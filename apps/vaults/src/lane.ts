interface Waiting {
  readonly size: number;
  readonly enter: () => void;
}

/**
 * Long work, few pieces at a time. Of 20 ingots that were sealed at once, a bit of each in turn, none would be done in
 * time; so the first ones are. The smallest of those that wait is next: few keys need not wait for 10,000 of somebody else.
 */
export class Lane {
  readonly #waiting: Waiting[] = [];
  #free: number;

  /** `places`: how many pieces may be under way at once. */
  constructor(places = 1) {
    this.#free = places;
  }

  /** Resolves when it is this one's turn. Whoever enters leaves. */
  async enter(size: number): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter) => this.#waiting.push({ size, enter }));
  }

  /** Gives the place to whoever waits. */
  leave(): void {
    const sizes = this.#waiting.map(({ size }) => size);
    const [next] = this.#waiting.splice(sizes.indexOf(Math.min(...sizes)), 1);
    if (next) next.enter();
    else this.#free += 1;
  }

  /** Does it when it is its turn. Throws when nobody waits for it any more by then. */
  async run<T>(size: number, deadlineMs: number, work: () => Promise<T>): Promise<T> {
    await this.enter(size);
    try {
      assertAwaited(deadlineMs);
      return await work();
    } finally {
      this.leave();
    }
  }
}

/** Throws when nobody waits for the answer any more. */
export function assertAwaited(deadlineMs: number): void {
  if (Date.now() > deadlineMs) throw new Error('nobody waits for this answer any more');
}
