import { Busy } from '@vaultsvc/contracts';

interface Waiting {
  readonly size: number;
  readonly enter: () => void;
}

/** So long before its deadline a caller is told that it was too late. */
const TELLING_MS = 500;
/** A timer knows no later time. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Long work, few pieces at a time. Of 20 ingots that were sealed at once, a bit of each in turn, none would be done in
 * time; so the first ones are. The smallest of those that wait is next: few keys need not wait for 10,000 of somebody else.
 * Half of a caller's time is for waiting, the other for the work: who would begin later is told so while it matters.
 */
export class Lane {
  readonly #waiting = new Set<Waiting>();
  #free: number;

  /** `places`: how many pieces may be under way at once. */
  constructor(private readonly places = 1) {
    this.#free = places;
  }

  /** Resolves when it is this one's turn. Whoever enters leaves. Throws `Busy` when half of the time is over. */
  async enter(size: number, deadlineMs: number): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(size, (deadlineMs - Date.now()) / 2);
  }

  /** Gives the place to whoever waits. */
  leave(): void {
    const next = [...this.#waiting].reduce<Waiting | undefined>(smaller, undefined);
    if (next) next.enter();
    else this.#free += 1;
  }

  /** Does it when it is its turn. Throws as `enter` does, and `Busy` when it is too late by then. */
  async run<T>(size: number, deadlineMs: number, work: () => Promise<T>): Promise<T> {
    await this.enter(size, deadlineMs);
    try {
      assertInTime(deadlineMs);
      return await work();
    } finally {
      this.leave();
    }
  }

  #wait(size: number, atMostMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        settle();
      };
      const waiting = { size, enter: end(resolve) };
      const refuse = end(() => reject(new Busy(this.places)));
      const timer = setTimeout(refuse, Math.min(atMostMs, TIMER_MS_MAX));
      this.#waiting.add(waiting);
    });
  }
}

function smaller(best: Waiting | undefined, other: Waiting): Waiting {
  return best && best.size <= other.size ? best : other;
}

/** Throws `Busy` while the caller still hears it: long work asks between its pieces. */
export function assertInTime(deadlineMs: number): void {
  if (Date.now() > deadlineMs - TELLING_MS) throw new Busy(1);
}
