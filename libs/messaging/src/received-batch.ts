import type { JsMsg } from '@nats-io/jetstream';

/** One message of the stream, whose events are applied in several transactions and acknowledged together. */
export class ReceivedBatch {
  #unsettled: number;
  #retryAfterMs: number | undefined;

  /** @param count of its events that this build applies */
  constructor(
    readonly message: JsMsg,
    count: number,
    private readonly onSettled: (batch: ReceivedBatch) => void,
  ) {
    this.#unsettled = count;
    if (count === 0) this.#finish();
  }

  /**
   * Records that an event was applied or given up, or that it has to be delivered again. After the last one the message is
   * acknowledged, or returned with the shortest delay that one of its events asks for.
   */
  settle(retryAfterMs?: number): void {
    if (retryAfterMs !== undefined)
      this.#retryAfterMs = Math.min(retryAfterMs, this.#retryAfterMs ?? retryAfterMs);
    this.#unsettled--;
    if (this.#unsettled === 0) this.#finish();
  }

  #finish(): void {
    this.onSettled(this);
    if (this.#retryAfterMs === undefined) this.message.ack();
    else this.message.nak(this.#retryAfterMs);
  }
}
