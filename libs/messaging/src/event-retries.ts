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

  /** Schedules the redelivery of a failed event, or moves it to the dead letters. Never rejects. */
  async add(message: JsMsg, error: unknown): Promise<void> {
    const failures = this.#count(idOf(message));
    const { subject, info } = message;
    this.#logger.error({
      msg: 'event could not be applied',
      consumer: this.durable,
      subject,
      failures,
      deliveries: info.deliveryCount,
      err: error,
    });
    if (failures < FAILURES_MAX) message.nak(this.#retryAfterMs(failures));
    else await this.#moveToDeadLetters(message, error);
  }

  /** Resets the count of events that were applied after all. */
  reset(batch: readonly JsMsg[]): void {
    if (this.#counts.size === 0) return;
    for (const message of batch) this.#counts.delete(idOf(message));
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

  #retryAfterMs(failures: number): number | undefined {
    return this.retryAfterMs[Math.min(failures, this.retryAfterMs.length) - 1];
  }

  async #moveToDeadLetters(message: JsMsg, error: unknown): Promise<void> {
    try {
      await this.#storeDeadLetter(message, error);
      this.reset([message]);
      message.term(); // without a reason: servers before 2.10.4 do not parse one and redeliver
    } catch (cause) {
      this.#logger.error({ msg: 'dead letter could not be kept', consumer: this.durable, err: cause });
      message.nak(this.retryAfterMs.at(-1)); // redelivered until the dead letter can be written
    }
  }

  /** `dead_letters` holds the delivery and its last error for an operator. */
  async #storeDeadLetter(message: JsMsg, error: unknown): Promise<void> {
    const text = error instanceof Error ? error.message : String(error);
    const { id, json } = toJson(message);
    await this.database.query(insertDeadLetter, [
      this.durable,
      id,
      json,
      text.replaceAll('\0', '').slice(0, 1_000),
    ]);
  }
}

function idOf(message: JsMsg): string {
  return toJson(message).id;
}

/** The delivery as JSON; bytes that are not JSON are stored as base64 under their stream sequence. */
function toJson(message: JsMsg): { id: string; json: string } {
  try {
    const delivery = message.json<Delivery>();
    return { id: String(delivery.id), json: JSON.stringify(delivery) };
  } catch {
    const base64 = Buffer.from(message.data).toString('base64');
    return { id: `stream ${message.info.streamSequence}`, json: JSON.stringify({ base64 }) };
  }
}

const insertDeadLetter = statement(
  'dead-letters.insert',
  `INSERT INTO dead_letters (consumer, event_id, delivery, error) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
);
