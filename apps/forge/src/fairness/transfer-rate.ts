const TICK_MS = 1_000;
const WINDOW_TICKS = 10;

/** The transfer to measure. */
export interface MeasuredTransfer {
  readonly progressBytes: number;
  /** False while the store is waited for; that time does not count. */
  readonly isWaitingForClient: boolean;
}

/**
 * Measures the rate at which a client takes bytes, over the last 10 s. It counts timer ticks, not time: a pause of this
 * process counts as one.
 */
export class TransferRate {
  /** The progress at each tick of the window and at its start. */
  readonly #samples: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly transfer: MeasuredTransfer) {
    this.#timer = setInterval(() => this.#sample(), TICK_MS).unref();
  }

  /** The bytes of the window. */
  get windowBytes(): number {
    return (this.#samples.at(-1) ?? 0) - (this.#samples[0] ?? 0);
  }

  /** Whether a whole window has passed, with fewer bytes than at this rate. */
  isBelow(bytesPerSecond: number): boolean {
    if (this.#samples.length <= WINDOW_TICKS) return false;
    return this.windowBytes < (bytesPerSecond * WINDOW_TICKS * TICK_MS) / 1_000;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    if (!this.transfer.isWaitingForClient) return;
    this.#samples.push(this.transfer.progressBytes);
    if (this.#samples.length > WINDOW_TICKS + 1) this.#samples.shift();
  }
}
