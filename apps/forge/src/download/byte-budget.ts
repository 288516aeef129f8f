import type { ByteMeter, MeteredDownload } from './byte-meter.js';

/** Bytes that a download may have counted and not sent. It sends this many at most after its ISTK is revoked. */
export const BUDGET_BYTES_MAX = 8 * 1_024 * 1_024;
const REFILL_BELOW_BYTES = BUDGET_BYTES_MAX / 2;

/** The bytes of its answer that a download may send now. It counts more ahead of need, so that sending seldom waits for the database. */
export class ByteBudget {
  #spentBytes = 0;
  /** The pending count, or the failed one. */
  #refill: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    private readonly meter: Pick<ByteMeter, 'count'>,
    private readonly download: MeteredDownload,
    private readonly answerBytes: number,
    private countedBytes: number,
  ) {}

  /** The number of these bytes that may be sent now; 0 when `refill` must be awaited first. */
  spend(bytes: number): number {
    const spent = Math.min(bytes, this.#remainingBytes);
    this.#spentBytes += spent;
    this.#refillAhead();
    return spent;
  }

  /** Waits for the pending count. Throws 401 when the ISTK is revoked or expired. */
  async refill(): Promise<void> {
    if (!this.#refill) throw new Error('the download has ended');
    await this.#refill;
  }

  /**
   * Waits for a pending count and allows no other. Otherwise a sender that has not yet noticed the closed connection could
   * count bytes after the download is settled.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#refill?.catch(() => undefined);
  }

  get #remainingBytes(): number {
    return this.countedBytes - this.#spentBytes;
  }

  #refillAhead(): void {
    if (this.#remainingBytes >= REFILL_BELOW_BYTES || this.#refill || this.#isClosed) return;
    const bytes = Math.min(BUDGET_BYTES_MAX - this.#remainingBytes, this.answerBytes - this.countedBytes);
    if (bytes === 0) return;
    this.#refill = this.#count(bytes);
    this.#refill.catch(() => undefined); // refill() and close() await it
  }

  async #count(bytes: number): Promise<void> {
    await this.meter.count(this.download, bytes);
    this.countedBytes += bytes;
    this.#refill = undefined;
  }
}

/** Yields the segments of each batch together, unless the budget ends among them. */
export async function* withinBudget(
  first: IteratorResult<Buffer[], void>,
  content: AsyncGenerator<Buffer[], void>,
  budget: ByteBudget,
): AsyncGenerator<Buffer[], void> {
  for (let batch = first; !batch.done; batch = await content.next()) {
    let allowed: Buffer[] = [];
    for (const segment of batch.value) {
      for (let rest = segment; rest.length > 0;) {
        const bytes = budget.spend(rest.length);
        if (bytes > 0) allowed.push(rest.subarray(0, bytes));
        else {
          if (allowed.length > 0) yield allowed;
          allowed = [];
          await budget.refill();
        }
        rest = rest.subarray(bytes);
      }
    }
    if (allowed.length > 0) yield allowed;
  }
}
