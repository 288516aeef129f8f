import { Busy } from '@vaultsvc/contracts';

/** The share of the connections that units of work may hold, and that those of one account may. */
const SHARE = 1 / 2;
const SHARE_OF_ACCOUNT = 1 / 3;

interface Waiting {
  readonly accountId: string;
  readonly start: () => void;
}

/**
 * Bounds the units of work that run at once. A unit holds its connection for as long as its handler runs, even while that
 * waits for a lock or for another service; without a bound, units of one busy vault would hold all connections.
 */
export class UnitLimit {
  readonly #most: number;
  readonly #mostOfAccount: number;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #total = 0;

  /** `connections`: the size of the pool. */
  constructor(connections: number) {
    this.#most = Math.max(1, Math.floor(connections * SHARE));
    this.#mostOfAccount = Math.max(1, Math.floor(connections * SHARE_OF_ACCOUNT));
  }

  /** Runs the work when it may start. Throws `Busy` after half of the time to the deadline. */
  async run<T>(accountId: string, deadlineMs: number, work: () => Promise<T>): Promise<T> {
    if (!this.#mayStart(accountId)) await this.#wait(accountId, (deadlineMs - Date.now()) / 2);
    this.#count(accountId, 1);
    try {
      return await work();
    } finally {
      this.#count(accountId, -1);
      this.#startNext();
    }
  }

  #mayStart(accountId: string): boolean {
    return this.#total < this.#most && (this.#running.get(accountId) ?? 0) < this.#mostOfAccount;
  }

  #count(accountId: string, change: 1 | -1): void {
    this.#total += change;
    const running = (this.#running.get(accountId) ?? 0) + change;
    if (running === 0) this.#running.delete(accountId);
    else this.#running.set(accountId, running);
  }

  /** The caller starts in the same turn in which this resolves, so that nobody takes its place. */
  #wait(accountId: string, withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        accountId,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(
        () => {
          this.#waiting.delete(waiting);
          reject(new Busy(this.#mostOfAccount));
        },
        Math.max(0, withinMs),
      );
      this.#waiting.add(waiting);
    });
  }

  /** The one that has waited longest of those that may start. */
  #startNext(): void {
    for (const waiting of this.#waiting) {
      if (!this.#mayStart(waiting.accountId)) continue;
      this.#waiting.delete(waiting);
      return waiting.start();
    }
  }
}
