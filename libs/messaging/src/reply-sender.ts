import type { NatsConnection } from '@nats-io/transport-node';
import { publish, type Publication } from './wire.js';

/** How long a sent reply is retained: longer than it takes to notice that the server has died. */
const RETAIN_MS = 2_000;
const RETAIN_BYTES_MAX = 32 * 1_024 * 1_024;
/** Delays of the resends after a reconnect: callers reconnect at their own pace. */
const RESEND_AFTER_MS = [0, 300, 1_000, 2_500];

/** Only what a resend needs: thousands of replies are retained, and the collector copies each of them. */
interface SentReply {
  readonly reply: Publication;
  /** Epoch milliseconds after which the caller has stopped waiting. */
  readonly deadlineMs: number;
  readonly sentAtMs: number;
}

/**
 * Sends replies, and resends the recent ones after a reconnect. Core NATS stores nothing: a reply that a dying server had not
 * delivered is lost, although the operation may not be repeatable (a Spark burned, a key shown). A caller ignores a second
 * reply.
 */
export class ReplySender {
  #sent: SentReply[] = [];
  #bytes = 0;
  #isConnected = true;
  #expiry: NodeJS.Timeout | undefined;

  constructor(private readonly connection: NatsConnection) {
    void this.#watch();
  }

  /** Without effect on a closed connection: the caller finds out by itself (`LostCalls`). */
  send(reply: Publication, deadlineMs: number): void {
    if (this.connection.isClosed()) return;
    publish(this.connection, reply);
    this.#sent.push({ reply, deadlineMs, sentAtMs: performance.now() });
    this.#bytes += reply.data.length;
    if (this.#bytes > RETAIN_BYTES_MAX) this.#dropExpired();
    if (!this.#expiry) this.#scheduleExpiry();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.#isConnected = false;
      if (type === 'reconnect') this.#resend();
    }
  }

  #resend(): void {
    this.#isConnected = true;
    const lost = this.#sent.splice(0);
    this.#bytes = 0;
    for (const afterMs of RESEND_AFTER_MS) setTimeout(() => this.#repeat(lost), afterMs).unref();
  }

  #repeat(replies: readonly SentReply[]): void {
    if (this.connection.isClosed()) return;
    for (const { reply, deadlineMs } of replies) if (Date.now() < deadlineMs) publish(this.connection, reply);
  }

  /** Replies contain secrets, so they are dropped as soon as they are no longer needed. */
  #dropExpired(): void {
    const oldestMs = performance.now() - RETAIN_MS;
    let count = 0;
    for (const { sentAtMs, reply } of this.#sent) {
      const isNeeded = (!this.#isConnected || sentAtMs > oldestMs) && this.#bytes <= RETAIN_BYTES_MAX;
      if (isNeeded) break;
      this.#bytes -= reply.data.length;
      count++;
    }
    this.#sent = this.#sent.slice(count);
  }

  #scheduleExpiry(): void {
    this.#dropExpired();
    const isEmpty = this.#sent.length === 0;
    this.#expiry = isEmpty ? undefined : setTimeout(() => this.#scheduleExpiry(), RETAIN_MS).unref();
  }
}
