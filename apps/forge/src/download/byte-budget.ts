import type { ByteMeter } from './byte-meter.js';
import { istkRefused, type Istk } from '../istk/istk.js';

/** So many bytes at most are taken and not sent yet: what a download goes on for when its ISTK is revoked. */
export const BUDGET_BYTES_MAX = 8 * 1_024 * 1_024;
const REFILL_BELOW_BYTES = BUDGET_BYTES_MAX / 2;

/**
 * What one request may still send. Begins with what its first step has taken; more is taken in time, while there is still
 * something to send, so that no download waits for the database.
 */
export class ByteBudget {
  #spentBytes = 0;
  /** The step under way, or the one that was refused. */
  #refill: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    private readonly steps: Pick<ByteMeter, 'reserve'>,
    private readonly istk: Istk,
    private readonly wantedBytes: number,
    private takenSoFarBytes: number,
  ) {}

  get reservedBytes(): number {
    return this.takenSoFarBytes;
  }

  /** How many of these bytes may leave now; 0 when `refill` must be awaited first. */
  spend(bytes: number): number {
    const spent = Math.min(bytes, this.#leftBytes);
    this.#spentBytes += spent;
    this.#refillInTime();
    return spent;
  }

  /** Throws the 401 of an ISTK that is exhausted or revoked. */
  async refill(): Promise<void> {
    if (!this.#refill) throw istkRefused('ISTK_EXHAUSTED');
    await this.#refill;
  }

  /**
   * Waits for a step under way, whoever else waits for it, and takes no other: nothing is taken after the account is
   * settled, by a sender that has not heard yet that its caller has gone.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#refill?.catch(() => undefined);
  }

  get #leftBytes(): number {
    return this.takenSoFarBytes - this.#spentBytes;
  }

  #refillInTime(): void {
    if (this.#leftBytes >= REFILL_BELOW_BYTES || this.#refill || this.#isClosed) return;
    const bytes = Math.min(BUDGET_BYTES_MAX - this.#leftBytes, this.wantedBytes - this.takenSoFarBytes);
    if (bytes === 0) return;
    this.#refill = this.#take(bytes);
    this.#refill.catch(() => undefined); // it is awaited when the bytes are wanted
  }

  async #take(bytes: number): Promise<void> {
    const takenBytes = await this.steps.reserve(this.istk, bytes);
    this.takenSoFarBytes += takenBytes;
    this.#refill = undefined;
  }
}
