import { Logger } from '@nestjs/common';
import type { JsMsg } from '@nats-io/jetstream';
import type { Delivery } from '@vaultsvc/contracts';
import { statement, type Database } from '@vaultsvc/database';

const RETRY_AFTER_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
const FAILURES_MAX = 10;
const COUNTED_MAX = 10_000;

/**
 * Redelivers failed events with increasing delays, and moves an event to `dead_letters` after ten failures in this process.
 *
 * JetStream's delivery count cannot be used: it also rises when an instance is killed, NATS restarts or an acknowledgement is
 * late. The count is kept in memory. A restart or another instance counts from zero, which adds attempts at the longest delay
 * and blocks no other event. A table would cost a write for every failure, when PostgreSQL itself may be in trouble.
 */
export class EventRetries {
  readonly #logger = new Logger('events');
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly durable: string,
    private readonly retryAfterMs: readonly number[] = RETRY_AFTER_MS,
  ) {}

  /**
   * Counts a failure. Never rejects.
   * @returns the delay in milliseconds after which the event is delivered again, or undefined for a dead letter
   */
  async add(delivery: Delivery, { info }: JsMsg, error: unknown): Promise<number | undefined> {
    const failures = this.#count(delivery.id);
    this.#logger.error({
      msg: 'event could not be applied',
      consumer: this.durable,
      event: delivery.name,
      eventId: delivery.id,
      requestId: delivery.requestId,
      failures,
      deliveries: info.deliveryCount,
      err: error,
    });
    if (failures < FAILURES_MAX) return this.#retryAfterMs(failures);
    const isStored = await this.#store(delivery.id, delivery, error);
    if (isStored) this.reset([delivery.id]);
    return isStored ? undefined : this.#lastRetryAfterMs;
  }

  /** Moves a message that is not authentic to the dead letters, without applying any of it. Never rejects. */
  async refuse(message: JsMsg, error: unknown): Promise<void> {
    this.#logger.error({
      msg: 'events refused',
      consumer: this.durable,
      subject: message.subject,
      err: error,
    });
    const base64 = Buffer.from(message.data).toString('base64');
    const isStored = await this.#store(`stream ${message.info.streamSequence}`, { base64 }, error);
    if (isStored) message.term(); // without a reason: servers before 2.10.4 do not parse one and redeliver
    else message.nak(this.#lastRetryAfterMs);
  }

  /** Resets the count of events that were applied after all. */
  reset(ids: readonly string[]): void {
    if (this.#counts.size === 0) return;
    for (const id of ids) this.#counts.delete(id);
  }

  /** Keeps the 10,000 latest; an event that is dropped from the count gets more attempts. */
  #count(id: string): number {
    const failures = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.delete(id);
    this.#counts.set(id, failures);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > COUNTED_MAX && oldest !== undefined) this.#counts.delete(oldest);
    return failures;
  }

  #retryAfterMs(failures: number): number {
    return this.retryAfterMs[Math.min(failures, this.retryAfterMs.length) - 1] ?? this.#lastRetryAfterMs;
  }

  get #lastRetryAfterMs(): number {
    return this.retryAfterMs.at(-1) ?? 0;
  }

  /** `dead_letters` holds the delivery and its last error for an operator. Returns whether it was stored. */
  async #store(id: string, delivery: object, error: unknown): Promise<boolean> {
    const text = (error instanceof Error ? error.message : String(error))
      .replaceAll('\0', '')
      .slice(0, 1_000);
    try {
      await this.database.query(insertDeadLetter, [this.durable, id, JSON.stringify(delivery), text]);
      return true;
    } catch (cause) {
      this.#logger.error({ msg: 'dead letter could not be kept', consumer: this.durable, err: cause });
      return false;
    }
  }
}

const insertDeadLetter = statement(
  'dead-letters.insert',
  `INSERT INTO dead_letters (consumer, event_id, delivery, error) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
);
