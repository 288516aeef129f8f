import type { ServerResponse } from 'node:http';
import { ConnectionClosed } from '@vaultsvc/http';
import { AccountCounts } from './account-counts.js';
import { Permit } from './permit.js';

/** The limits of a FairSemaphore. */
export interface FairLimits {
  /** Transfers that run concurrently. */
  readonly max: number;
  /** Those of one account. */
  readonly accountMax: number;
  /** Those of one account while requests of other accounts wait, or have waited within 10 s. */
  readonly accountShare: number;
  /** Milliseconds that a request may wait. */
  readonly waitMs: number;
}

/** A request was refused: by the limit of its account, or of all accounts. */
export class SemaphoreFull extends Error {
  override readonly name = 'SemaphoreFull';

  constructor(
    readonly scope: 'account' | 'process',
    readonly limit: number,
  ) {
    super(`${limit} transfers of this ${scope} are running`);
  }
}

interface Waiter {
  readonly accountId: string;
  readonly admit: () => void;
}

const TICK_MS = 1_000;
/** A client pauses between its requests. For so long after it waited, others above their share do not get its permit. */
const CONTENDED_TICKS = 10;

/**
 * Limits concurrent transfers and divides them between accounts. A request above the limit of its account is refused at
 * once: only transfers of its own could make room for it. Any other request waits; the one whose account has the fewest
 * transfers is admitted first.
 *
 * Each second, every waiting request of an account below its share ends one transfer of an account that has more: one
 * above its share, or a slow one. So transfers that last for hours cannot keep others out.
 */
export class FairSemaphore {
  readonly #permits = new Set<Permit>();
  /** Permits of transfers that are not ending. */
  readonly #held = new AccountCounts();
  readonly #waiting = new Set<Waiter>();
  readonly #queued = new AccountCounts();
  #ticksSinceContention = CONTENDED_TICKS;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: FairLimits) {}

  /**
   * Waits for a permit, which the caller must release. Throws SemaphoreFull, and ConnectionClosed when the client closes the
   * connection of `response`.
   */
  async acquire(accountId: string, response: ServerResponse): Promise<Permit> {
    const { max, accountMax } = this.limits;
    if (this.#held.of(accountId) + this.#queued.of(accountId) >= accountMax)
      throw new SemaphoreFull('account', accountMax);
    if (this.#isAdmissible(accountId)) return this.#admit(accountId);
    if (this.#waiting.size >= max) throw new SemaphoreFull('process', max);
    return this.#wait(accountId, response);
  }

  #isAdmissible(accountId: string): boolean {
    if (this.#permits.size >= this.limits.max) return false;
    return !this.#isContended || this.#isBelowShare(accountId);
  }

  get #isContended(): boolean {
    return this.#ticksSinceContention < CONTENDED_TICKS;
  }

  #isBelowShare(accountId: string): boolean {
    return this.#held.of(accountId) < this.limits.accountShare;
  }

  #admit(accountId: string): Permit {
    const free = (permit: Permit) => {
      this.#permits.delete(permit);
      if (!permit.isEnding) this.#held.add(accountId, -1);
      this.#admitWaiting();
    };
    const permit: Permit = new Permit(accountId, {
      onEnding: () => this.#held.add(accountId, -1),
      onReleased: () => free(permit),
    });
    this.#permits.add(permit);
    this.#held.add(accountId, 1);
    return permit;
  }

  #wait(accountId: string, response: ServerResponse): Promise<Permit> {
    if (response.closed) throw callerLeft();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        response.off('close', onClose);
        this.#waiting.delete(waiter);
        this.#queued.add(accountId, -1);
      };
      const refuse = (error: Error) => (leave(), reject(error));
      const onClose = () => refuse(callerLeft());
      const { max, waitMs } = this.limits;
      const timer = setTimeout(() => refuse(new SemaphoreFull('process', max)), waitMs);
      const waiter = { accountId, admit: () => (leave(), resolve(this.#admit(accountId))) };
      response.once('close', onClose);
      this.#waiting.add(waiter);
      this.#queued.add(accountId, 1);
      this.#noteContention();
      this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    });
  }

  #noteContention(): void {
    const isContended = [...this.#waiting].some(({ accountId }) => this.#isBelowShare(accountId));
    if (isContended) this.#ticksSinceContention = 0;
  }

  #tick(): void {
    this.#ticksSinceContention += 1;
    this.#noteContention();
    this.#makeRoom();
    this.#admitWaiting();
    if (this.#waiting.size > 0 || this.#isContended) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #admitWaiting(): void {
    for (let next; (next = this.#nextAdmissible());) next.admit();
  }

  /** A Set iterates in insertion order, so the first of equals is the one that waits longest. */
  #nextAdmissible(): Waiter | undefined {
    const held = ({ accountId }: Waiter) => this.#held.of(accountId);
    let next: Waiter | undefined;
    for (const waiter of this.#waiting)
      if (this.#isAdmissible(waiter.accountId) && (!next || held(waiter) < held(next))) next = waiter;
    return next;
  }

  /** Ends one transfer for each waiting request below the share of its account, less those that are ending already. */
  #makeRoom(): void {
    const promised = new AccountCounts();
    let ending = [...this.#permits].filter(({ isEnding }) => isEnding).length;
    for (const { accountId } of this.#waiting) {
      const held = this.#held.of(accountId) + promised.of(accountId);
      if (held >= this.limits.accountShare) continue;
      promised.add(accountId, 1);
      if (ending > 0) ending -= 1;
      else this.#victimFor(held)?.end();
    }
  }

  /** Of the transfers that an account with this many may end, the one with the least progress. */
  #victimFor(held: number): Permit | undefined {
    let victim: Permit | undefined;
    for (const permit of this.#permits)
      if (this.#mayEnd(permit, held) && progressOf(permit) < progressOf(victim)) victim = permit;
    return victim;
  }

  #mayEnd({ accountId, transfer, isEnding }: Permit, held: number): boolean {
    const ofAccount = this.#held.of(accountId);
    if (!transfer || isEnding || ofAccount <= held) return false;
    return ofAccount > this.limits.accountShare || transfer.isSlow();
  }
}

function progressOf(permit: Permit | undefined): number {
  return permit?.transfer?.progressBytes ?? Infinity;
}

function callerLeft(): ConnectionClosed {
  return new ConnectionClosed('the caller closed the connection');
}
