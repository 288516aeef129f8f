import type { ByteMeter } from './byte-meter.js';
import { istkRefused, type Istk } from '../istk/istk.js';

/** Bytes that a request may have reserved and not sent. A download sends this many at most after its ISTK is revoked. */
export const BUDGET_BYTES_MAX = 8 * 1_024 * 1_024;
const REFILL_BELOW_BYTES = BUDGET_BYTES_MAX / 2;

/** The bytes that one request may still send. It reserves more ahead of need, so that sending seldom waits for the database. */
export class ByteBudget {
  #spentBytes = 0;
  /** The pending reservation, or the failed one. */
  #refill: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    private readonly meter: Pick<ByteMeter, 'reserve'>,
    private readonly istk: Istk,
    private readonly requestedBytes: number,
    private reservedSoFarBytes: number,
  ) {}

  get reservedBytes(): number {
    return this.reservedSoFarBytes;
  }

  /** The number of these bytes that may be sent now; 0 when `refill` must be awaited first. */
  spend(bytes: number): number {
    const spent = Math.min(bytes, this.#remainingBytes);
    this.#spentBytes += spent;
    this.#refillAhead();
    return spent;
  }

  /** Waits for the pending reservation. Throws 401 when the ISTK is exhausted or revoked. */
  async refill(): Promise<void> {
    if (!this.#refill) throw istkRefused('ISTK_EXHAUSTED');
    await this.#refill;
  }

  /**
   * Waits for a pending reservation and allows no other. Otherwise a sender that has not yet noticed the closed
   * connection could reserve bytes after the download is settled.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#refill?.catch(() => undefined);
  }

  get #remainingBytes(): number {
    return this.reservedSoFarBytes - this.#spentBytes;
  }

  #refillAhead(): void {
    if (this.#remainingBytes >= REFILL_BELOW_BYTES || this.#refill || this.#isClosed) return;
    const bytes = Math.min(
      BUDGET_BYTES_MAX - this.#remainingBytes,
      this.requestedBytes - this.reservedSoFarBytes,
    );
    if (bytes === 0) return;
    this.#refill = this.#reserve(bytes);
    this.#refill.catch(() => undefined); // refill() and close() await it
  }

  async #reserve(bytes: number): Promise<void> {
    const reservedBytes = await this.meter.reserve(this.istk, bytes);
    this.reservedSoFarBytes += reservedBytes;
    this.#refill = undefined;
  }
}
