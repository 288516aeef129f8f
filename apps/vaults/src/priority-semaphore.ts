import { Busy } from '@vaultsvc/contracts';

interface Waiter {
  readonly size: number;
  readonly admit: () => void;
}

/** A caller gets `Busy` at least this long before its deadline, so that the answer still reaches it. */
const ANSWER_MS = 500;
/** The longest delay that `setTimeout` accepts. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Limits how many pieces of long work run at once: interleaved, none of 20 large writes would end before its deadline.
 * The smallest waiting piece runs next, so that a few keys do not wait for 10,000. A piece waits for half of the time to
 * its deadline; the other half is for the work.
 */
export class PrioritySemaphore {
  readonly #waiting = new Set<Waiter>();
  #free: number;

  /** `permits`: how many pieces may run at once. */
  constructor(private readonly permits = 1) {
    this.#free = permits;
  }

  /** Resolves with a permit, which the caller must release. Throws `Busy` after half of the time to the deadline. */
  async acquire(size: number, deadlineMs: number): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(size, (deadlineMs - Date.now()) / 2);
  }

  /** Passes the permit to the smallest waiter. */
  release(): void {
    const next = [...this.#waiting].reduce<Waiter | undefined>(smaller, undefined);
    if (next) next.admit();
    else this.#free += 1;
  }

  /** Runs `work` with a permit. Throws `Busy` as `acquire` does, and when the deadline is too near by then. */
  async run<T>(size: number, deadlineMs: number, work: () => Promise<T>): Promise<T> {
    await this.acquire(size, deadlineMs);
    try {
      assertBeforeDeadline(deadlineMs);
      return await work();
    } finally {
      this.release();
    }
  }

  #wait(size: number, atMostMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        settle();
      };
      const waiter = { size, admit: end(resolve) };
      const refuse = end(() => reject(new Busy(this.permits)));
      const timer = setTimeout(refuse, Math.min(atMostMs, TIMER_MS_MAX));
      this.#waiting.add(waiter);
    });
  }
}

function smaller(best: Waiter | undefined, other: Waiter): Waiter {
  return best && best.size <= other.size ? best : other;
}

/** Throws `Busy` while the answer can still reach the caller. Long work calls this between its pieces. */
export function assertBeforeDeadline(deadlineMs: number): void {
  if (Date.now() > deadlineMs - ANSWER_MS) throw new Busy(1);
}
