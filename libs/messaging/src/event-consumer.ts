import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { AckPolicy, DeliverPolicy, jetstream, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import type { Delivery } from '@vaultsvc/contracts';
import { statement, type Database, type Transaction } from '@vaultsvc/database';
import type { BoundConsumer } from './handles.js';
import { ensureEventsStream, EVENTS_STREAM } from './streams.js';

const BATCH_MAX = 256;
const ACK_WAIT_MS = 30_000;
const RETRY_AFTER_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
const DELIVERIES_MAX = 10;
const RESTART_AFTER_MS = 1_000;
const DATABASE_AGAIN_AFTER_MS = 1_000;

/**
 * Applies the events of one other service. One durable consumer per pair of services (server 2.9 knows a
 * single filter subject), shared by all copies. A batch is one transaction: what has been applied is recorded
 * in `processed` with its effect. A batch that fails is halved until the bad event stands alone, so that it
 * holds up no other. While PostgreSQL is away no event has failed: they wait.
 */
export class EventConsumer {
  readonly #logger = new Logger('events');
  readonly #queue: JsMsg[] = [];
  #messages: ConsumerMessages | undefined;
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly connection: NatsConnection,
    private readonly database: Database,
    private readonly service: string,
    private readonly source: string,
    private readonly handlers: readonly BoundConsumer[],
    private readonly replicas = 1,
  ) {}

  /** Name of the durable consumer, for example `reporting-sparks`. */
  get durable(): string {
    return `${this.service}-${this.source}`;
  }

  async start(): Promise<void> {
    const manager = await ensureEventsStream(this.connection, this.replicas);
    await manager.consumers.add(EVENTS_STREAM, {
      durable_name: this.durable,
      filter_subject: `evt.${this.source}.>`,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: BATCH_MAX * 8,
    });
    const consumer = await jetstream(this.connection).consumers.get(EVENTS_STREAM, this.durable);
    this.#messages = await consumer.consume({
      max_messages: BATCH_MAX * 2,
      abort_on_missing_resource: true, // else it would ask a deleted consumer for messages for ever
      callback: (message) => this.#take(message),
    });
    void this.#restartWhenClosed(this.#messages);
  }

  /** Finishes the batch under way and gives the others back, for another copy to apply at once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#messages?.close();
    await this.#working;
    for (const message of this.#queue.splice(0)) message.nak();
  }

  /** A consumer or stream that was deleted on the server is made again; the outboxes hold what it lost. */
  async #restartWhenClosed(messages: ConsumerMessages): Promise<void> {
    const reason = await messages.closed();
    if (this.#stopped) return;
    this.#logger.warn({ msg: 'event consumer closed, starting again', consumer: this.durable, err: reason });
    while (!this.#stopped) {
      await delay(RESTART_AFTER_MS);
      try {
        return await this.start();
      } catch (error) {
        this.#logger.warn({ msg: 'event consumer cannot start yet', consumer: this.durable, err: error });
      }
    }
  }

  #take(message: JsMsg): void {
    this.#queue.push(message);
    this.#working ??= this.#drain()
      .catch((error: unknown) =>
        this.#logger.error({ msg: 'events will be delivered again', consumer: this.durable, err: error }),
      )
      .finally(() => (this.#working = undefined));
  }

  /** What arrived together is applied together: messages of one packet from the server are one batch. */
  async #drain(): Promise<void> {
    await delay(0);
    while (this.#queue.length > 0 && !this.#stopped) await this.#applyAll(this.#queue.splice(0, BATCH_MAX));
  }

  async #applyAll(batch: readonly JsMsg[]): Promise<void> {
    try {
      await this.#apply(batch.map(read));
    } catch (error) {
      return this.#takeApart(batch, error);
    }
    for (const message of batch) message.ack();
  }

  async #takeApart(batch: readonly JsMsg[], error: unknown): Promise<void> {
    if (!(await this.#databaseAnswers(batch))) return void this.#queue.push(...batch); // given back by stop()
    if (batch.length === 1) return this.#failed(batch[0] as JsMsg, error);
    const half = Math.ceil(batch.length / 2);
    await this.#applyAll(batch.slice(0, half));
    await this.#applyAll(batch.slice(half));
  }

  /** Waits for PostgreSQL, and tells the server so that nothing is delivered again meanwhile. False: stopped. */
  async #databaseAnswers(batch: readonly JsMsg[]): Promise<boolean> {
    while (!this.#stopped) {
      try {
        await this.database.query(ping);
        return true;
      } catch (error) {
        this.#logger.warn({ msg: 'events wait for the database', consumer: this.durable, err: error });
      }
      for (const message of [...batch, ...this.#queue]) message.working();
      await delay(DATABASE_AGAIN_AFTER_MS);
    }
    return false;
  }

  /** Whether this service applies events of this name at all; the filter subject is wider than that. */
  concerns(eventName: string): boolean {
    return this.handlers.some(({ events }) => events.some(({ name }) => name === eventName));
  }

  async #apply(received: readonly Delivery[]): Promise<void> {
    const deliveries = distinct(received).filter(({ name }) => this.concerns(name));
    if (deliveries.length === 0) return;
    await this.database.transaction(async (tx) => {
      const fresh = await this.#recordFresh(tx, deliveries);
      for (const { events, consume } of this.handlers) {
        const names = new Set<string>(events.map((event) => event.name));
        const own = deliveries.filter(({ id, name }) => fresh.has(id) && names.has(name));
        if (own.length > 0) await consume(own, tx);
      }
    });
  }

  async #recordFresh(tx: Transaction, deliveries: readonly Delivery[]): Promise<ReadonlySet<string>> {
    const ids = deliveries.map(({ id }) => id);
    const rows = await tx.query<{ event_id: string }>(recordProcessed, [this.durable, ids]);
    return new Set(rows.map((row) => row.event_id));
  }

  async #failed(message: JsMsg, error: unknown): Promise<void> {
    const attempt = message.info.deliveryCount;
    this.#logger.error({
      msg: 'event could not be applied',
      consumer: this.durable,
      subject: message.subject,
      attempt,
      err: error,
    });
    if (attempt < DELIVERIES_MAX)
      return message.nak(RETRY_AFTER_MS[Math.min(attempt, RETRY_AFTER_MS.length) - 1]);
    await this.#bury(message, error).then(
      () => message.term(), // without a reason: servers before 2.10.4 do not understand one and deliver again
      (cause: unknown) => {
        this.#logger.error({ msg: 'dead letter could not be kept', consumer: this.durable, err: cause });
        message.nak(RETRY_AFTER_MS.at(-1)); // it must not be lost with whatever keeps it from being written
      },
    );
  }

  /** Kept for an operator: `dead_letters` holds what could not be applied, and why. */
  async #bury(message: JsMsg, error: unknown): Promise<void> {
    const text = error instanceof Error ? error.message : String(error);
    const { id, json } = readable(message);
    await this.database.query(bury, [this.durable, id, json, text.replaceAll('\0', '').slice(0, 1_000)]);
  }
}

/** One event may be in a batch twice: published again under a new message id, or delivered again. */
function distinct(deliveries: readonly Delivery[]): Delivery[] {
  return [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()];
}

function read(message: JsMsg): Delivery {
  return message.json<Delivery>();
}

/** The delivery as JSON; bytes that are not JSON are kept as base64, under their place in the stream. */
function readable(message: JsMsg): { id: string; json: string } {
  try {
    const delivery = read(message);
    return { id: String(delivery.id), json: JSON.stringify(delivery) };
  } catch {
    const base64 = Buffer.from(message.data).toString('base64');
    return { id: `stream ${message.info.streamSequence}`, json: JSON.stringify({ base64 }) };
  }
}

const ping = statement('consumer.ping', 'SELECT 1');

const recordProcessed = statement(
  'processed.record',
  `INSERT INTO processed (consumer, event_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING RETURNING event_id`,
);

const bury = statement(
  'dead-letters.bury',
  `INSERT INTO dead_letters (consumer, event_id, delivery, error) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
);
