import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { isLockTimeout, statement, type Database } from '@vaultsvc/database';
import { EventApplier, type Attempt } from './event-applier.js';
import { EventRetries } from './event-retries.js';
import { abortableDelay, ACK_WAIT_MS, EventSubscription } from './event-subscription.js';
import type { BoundConsumer } from './decorators.js';
import { PartitionedQueue } from './partitioned-queue.js';

const BATCH_MAX = 256;
/** Parts at once. Each has a connection of the service's ten, and it has a consumer for each service that tells it things. */
const PARTS_MAX = 2;
const LOST_MAX = 3;
const DATABASE_AGAIN_AFTER_MS = 250;
/** A question to a silent database takes up to 11 s: with that, still before `ACK_WAIT_MS`. */
const KEEP_EVERY_MS = ACK_WAIT_MS / 3;

interface ConsumerOptions {
  /** Copies of the stream, if it has to be made. */
  readonly replicas?: number;
  /** The wait after the first failure of an event, the second, and so on; the last for all that follow. */
  readonly retryAfterMs?: readonly number[];
}

/**
 * Applies the events of one other service. One durable consumer per pair of services, shared by all copies. A batch
 * is one transaction: what has been applied is recorded in `processed` with its effect. It is of one part (`ConsumesBy`),
 * and two parts are applied at once. A batch that fails is halved until the bad event stands alone, so that it holds up
 * no other; one that waited in vain for what its part locks is given back whole, as each half would wait for as long.
 * While PostgreSQL is away no event has failed: they wait, and are then applied at once.
 */
export class EventConsumer {
  /** Name of the durable consumer, for example `reporting-sparks`. */
  readonly durable: string;
  readonly #logger = new Logger('events');
  readonly #stopping = new AbortController();
  readonly #subscription: EventSubscription;
  readonly #effects: EventApplier;
  readonly #failures: EventRetries;
  readonly #queue = new PartitionedQueue<JsMsg>();
  /** All that was taken and not settled: the queue and the batches under way. */
  readonly #held = new Set<JsMsg>();
  readonly #working = new Set<Promise<void>>();

  constructor(
    connection: NatsConnection,
    private readonly database: Database,
    service: string,
    source: string,
    handlers: readonly BoundConsumer[],
    { replicas = 1, retryAfterMs }: ConsumerOptions = {},
  ) {
    this.durable = `${service}-${source}`;
    this.#effects = new EventApplier(database, this.durable, handlers);
    this.#failures = new EventRetries(database, this.durable, retryAfterMs);
    this.#subscription = new EventSubscription(connection, {
      durable: this.durable,
      filterSubject: `evt.${source}.>`,
      replicas,
      stopping: this.#stopping.signal,
      take: (message) => this.#take(message),
    });
  }

  start(): Promise<void> {
    return this.#subscription.start();
  }

  /** Finishes the transactions under way and gives the other events back, for another copy to apply at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#subscription.close();
    await Promise.all(this.#working);
    if (this.#held.size === 0) return;
    await this.#subscription.forgetPull();
    for (const message of this.#held) message.nak();
    this.#held.clear();
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #take(message: JsMsg): void {
    this.#held.add(message);
    this.#queue.add(this.#effects.partOf(message), message);
    if (this.#working.size === PARTS_MAX) return;
    const working = this.#drain().finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /** What arrived together is applied together: messages of one packet from the server are one batch. */
  async #drain(): Promise<void> {
    await delay(0);
    for (let next; (next = this.#queue.next(BATCH_MAX)); this.#queue.release(next.part))
      await this.#applyAll(next.items, next.part).catch((error: unknown) =>
        this.#logger.error({ msg: 'events will be delivered again', consumer: this.durable, err: error }),
      );
  }

  async #applyAll(batch: readonly JsMsg[], part: string): Promise<void> {
    if (this.#stopped) return;
    const attempt = await this.#attempt(batch);
    if (attempt.result === 'lost') return;
    if (attempt.result === 'applied') return this.#acknowledge(batch);
    const isLocked = part !== '' && isLockTimeout(attempt.error);
    if (batch.length === 1 || isLocked) return this.#fail(batch, attempt.error);
    const half = Math.ceil(batch.length / 2);
    await this.#applyAll(batch.slice(0, half), part);
    await this.#applyAll(batch.slice(half), part);
  }

  #acknowledge(batch: readonly JsMsg[]): void {
    this.#failures.forget(batch);
    for (const message of batch) {
      this.#held.delete(message);
      message.ack();
    }
  }

  async #fail(batch: readonly JsMsg[], error: unknown): Promise<void> {
    for (const message of batch) {
      this.#held.delete(message);
      await this.#failures.add(message, error);
    }
  }

  /**
   * Applies a batch again for as long as it is lost; gives `lost` only when stopped. A connection that is lost while
   * PostgreSQL takes new ones is an accident, but the third in a row is the doing of an event: one, for example, that
   * waits in its transaction for longer than PostgreSQL lets it.
   */
  async #attempt(batch: readonly JsMsg[]): Promise<Attempt> {
    for (let lost = 1; ; lost++) {
      const attempt = await this.#effects.apply(batch);
      if (attempt.result !== 'lost') return attempt;
      const wasAway = await this.#awaitDatabase(attempt.error);
      if (this.#stopped) return attempt;
      if (wasAway) lost = 0;
      else if (lost === LOST_MAX) return { result: 'failed', error: attempt.error };
    }
  }

  /** Waits until PostgreSQL answers, or for `stop`. Whether it was away. */
  async #awaitDatabase(error: unknown): Promise<boolean> {
    if (await this.#databaseAnswers()) return false;
    this.#logger.warn({ msg: 'events wait for the database', consumer: this.durable, err: error });
    let keptAtMs = 0;
    do {
      if (Date.now() - keptAtMs >= KEEP_EVERY_MS) {
        this.#keep();
        keptAtMs = Date.now();
      }
    } while (
      (await abortableDelay(DATABASE_AGAIN_AFTER_MS, this.#stopping.signal)) &&
      !(await this.#databaseAnswers())
    );
    return true;
  }

  /** Tells NATS that the messages are being worked on, so that it does not deliver them again meanwhile. */
  #keep(): void {
    for (const message of this.#held) message.working();
  }

  #databaseAnswers(): Promise<boolean> {
    return this.database.query(ping).then(
      () => true,
      () => false,
    );
  }
}

const ping = statement('consumer.ping', 'SELECT 1');
