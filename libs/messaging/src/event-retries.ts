import { Logger } from '@nestjs/common';
import type { JsMsg } from '@nats-io/jetstream';
import type { Delivery } from '@vaultsvc/contracts';
import { statement, type Database } from '@vaultsvc/database';

const RETRY_AFTER_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
const FAILURES_MAX = 10;
const REMEMBERED_MAX = 10_000;

/**
 * Decides when an event is given up: after ten failures that this process has seen itself. JetStream's own count will
 * not do: it also rises when a copy is killed, when NATS restarts, or when an acknowledgement is late, and an event
 * must not be buried for that. The count lives in memory. It begins anew with the process, and each copy has its own:
 * an event may then be tried some more times, at the longest delay, where it holds up no other. A table would save
 * those attempts and cost a write for every failure, at the time when PostgreSQL may be what is in trouble.
 */
export class EventRetries {
  readonly #logger = new Logger('events');
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly durable: string,
    private readonly retryAfterMs: readonly number[] = RETRY_AFTER_MS,
  ) {}

  /** Has a failed event delivered again later, or gives it up. Never rejects. */
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
    else await this.#giveUp(message, error);
  }

  /** What has been applied after all has no failures. */
  forget(batch: readonly JsMsg[]): void {
    if (this.#counts.size === 0) return;
    for (const message of batch) this.#counts.delete(idOf(message));
  }

  /** The latest failures are remembered; an event that is forgotten is tried for longer, no more. */
  #count(id: string): number {
    const failures = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.delete(id);
    this.#counts.set(id, failures);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > REMEMBERED_MAX && oldest !== undefined) this.#counts.delete(oldest);
    return failures;
  }

  #retryAfterMs(failures: number): number | undefined {
    return this.retryAfterMs[Math.min(failures, this.retryAfterMs.length) - 1];
  }

  async #giveUp(message: JsMsg, error: unknown): Promise<void> {
    try {
      await this.#bury(message, error);
      this.forget([message]);
      message.term(); // without a reason: servers before 2.10.4 do not understand one and deliver again
    } catch (cause) {
      this.#logger.error({ msg: 'dead letter could not be kept', consumer: this.durable, err: cause });
      message.nak(this.retryAfterMs.at(-1)); // it must not be lost with whatever keeps it from being written
    }
  }

  /** Kept for an operator: `dead_letters` holds what could not be applied, and why. */
  async #bury(message: JsMsg, error: unknown): Promise<void> {
    const text = error instanceof Error ? error.message : String(error);
    const { id, json } = readable(message);
    await this.database.query(bury, [this.durable, id, json, text.replaceAll('\0', '').slice(0, 1_000)]);
  }
}

function idOf(message: JsMsg): string {
  return readable(message).id;
}

/** The delivery as JSON; bytes that are not JSON are kept as base64, under their place in the stream. */
function readable(message: JsMsg): { id: string; json: string } {
  try {
    const delivery = message.json<Delivery>();
    return { id: String(delivery.id), json: JSON.stringify(delivery) };
  } catch {
    const base64 = Buffer.from(message.data).toString('base64');
    return { id: `stream ${message.info.streamSequence}`, json: JSON.stringify({ base64 }) };
  }
}

const bury = statement(
  'dead-letters.bury',
  `INSERT INTO dead_letters (consumer, event_id, delivery, error) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
);
