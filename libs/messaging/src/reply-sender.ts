import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';

/** How long a reply may lie in a socket of a server that has died; longer than it takes to notice. */
const KEEP_MS = 2_000;
const KEEP_BYTES_MAX = 32 * 1_024 * 1_024;
/** The caller comes back to the server in its own time: it is told again until it must have done so. */
const AGAIN_AFTER_MS = [0, 300, 1_000, 2_500];

interface SentReply {
  readonly message: Msg;
  readonly payload: Uint8Array;
  readonly headers: MsgHdrs | undefined;
  /** Epoch milliseconds after which nobody waits for it. */
  readonly deadlineMs: number;
  readonly sentAtMs: number;
}

/**
 * Sends replies, and sends the newest ones again after a reconnect: NATS keeps nothing, so what it had not passed on
 * when it died is lost, and with it the answer to something that may have been done once and for all (a Spark burned, a
 * key shown). A caller that has the answer already ignores the second.
 */
export class ReplySender {
  #sent: SentReply[] = [];
  #bytes = 0;
  #isConnected = true;
  #forgetting: NodeJS.Timeout | undefined;

  constructor(private readonly connection: NatsConnection) {
    void this.#watch();
  }

  send(message: Msg, payload: Uint8Array, deadlineMs: number, headers?: MsgHdrs): void {
    message.respond(payload, { headers });
    this.#sent.push({ message, payload, headers, deadlineMs, sentAtMs: performance.now() });
    this.#bytes += payload.length;
    if (this.#bytes > KEEP_BYTES_MAX) this.#forget();
    if (!this.#forgetting) this.#forgetLater();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.#isConnected = false;
      if (type === 'reconnect') this.#sendAgain();
    }
  }

  #sendAgain(): void {
    this.#isConnected = true;
    const lost = this.#sent.splice(0);
    this.#bytes = 0;
    for (const afterMs of AGAIN_AFTER_MS) setTimeout(() => this.#repeat(lost), afterMs).unref();
  }

  #repeat(replies: readonly SentReply[]): void {
    if (this.connection.isClosed()) return;
    for (const { message, payload, headers, deadlineMs } of replies)
      if (Date.now() < deadlineMs) message.respond(payload, { headers });
  }

  /** Replies hold secrets: they stay no longer than they may be needed, also when no other comes after them. */
  #forget(): void {
    const oldestMs = performance.now() - KEEP_MS;
    let count = 0;
    for (const { sentAtMs, payload } of this.#sent) {
      const isNeeded = (!this.#isConnected || sentAtMs > oldestMs) && this.#bytes <= KEEP_BYTES_MAX;
      if (isNeeded) break;
      this.#bytes -= payload.length;
      count++;
    }
    this.#sent = this.#sent.slice(count);
  }

  #forgetLater(): void {
    this.#forget();
    const isEmpty = this.#sent.length === 0;
    this.#forgetting = isEmpty ? undefined : setTimeout(() => this.#forgetLater(), KEEP_MS).unref();
  }
}
