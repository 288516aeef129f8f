/** A running transfer that can be ended to make room for another. */
export interface EndableTransfer {
  /** Of the transfers that may end, the one with the least progress ends first. */
  readonly progressBytes: number;
  /** Whether it may end although its account is within its share. */
  isSlow(): boolean;
  end(): void;
}

/** The right of one transfer to run. */
export class Permit {
  /** Absent while the transfer may not be ended. */
  transfer: EndableTransfer | undefined;
  #isEnding = false;
  #isReleased = false;

  constructor(
    readonly accountId: string,
    private readonly events: { readonly onEnding: () => void; readonly onReleased: () => void },
  ) {}

  /** Whether the transfer has been told to end, and has not released its permit yet. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Ends the transfer in the next microtask: it may release its permit while the caller still chooses others. */
  end(): void {
    if (this.#isEnding || this.#isReleased) return;
    this.#isEnding = true;
    this.events.onEnding();
    queueMicrotask(() => this.transfer?.end());
  }

  /** Idempotent. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.events.onReleased();
  }
}
