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
/** Partitions applied concurrently. Each uses one of the service's ten connections, for each service it consumes from. */
const PARTITIONS_MAX = 2;
const LOST_MAX = 3;
const DATABASE_PING_EVERY_MS = 250;
/** A ping of a silent database takes up to 11 s; together they stay below `ACK_WAIT_MS`. */
const EXTEND_EVERY_MS = ACK_WAIT_MS / 3;

interface ConsumerOptions {
  /** Replicas of the stream, if it has to be created. */
  readonly replicas?: number;
  /** Delays after the first failure of an event, the second, and so on; the last one applies to all further failures. */
  readonly retryAfterMs?: readonly number[];
}

/**
 * Applies the events of one other service, through one durable JetStream consumer that all instances share.
 *
 * A batch is one transaction, which records its events in `processed` together with their effects. All events of a batch
 * belong to one partition (`ConsumesPartitioned`); two partitions are applied concurrently. A failed batch is bisected until
 * the failing event is alone and blocks no other. A batch whose partition is locked is redelivered whole, because each half
 * would wait for the same lock. While PostgreSQL is down no event counts as failed: they are applied once it is back.
 */
export class EventConsumer {
  /** Name of the durable consumer, for example `reporting-sparks`. */
  readonly durable: string;
  readonly #logger = new Logger('events');
  readonly #stopping = new AbortController();
  readonly #subscription: EventSubscription;
  readonly #applier: EventApplier;
  readonly #retries: EventRetries;
  readonly #queue = new PartitionedQueue<JsMsg>();
  /** Messages received and not acknowledged yet: the queue and the running batches. */
  readonly #unacknowledged = new Set<JsMsg>();
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
    this.#applier = new EventApplier(database, this.durable, handlers);
    this.#retries = new EventRetries(database, this.durable, retryAfterMs);
    this.#subscription = new EventSubscription(connection, {
      durable: this.durable,
      filterSubject: `evt.${source}.>`,
      replicas,
      stopping: this.#stopping.signal,
      receive: (message) => this.#receive(message),
    });
  }

  start(): Promise<void> {
    return this.#subscription.start();
  }

  /** Finishes running transactions and returns all other events, so that another instance applies them at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#subscription.close();
    await Promise.all(this.#working);
    if (this.#unacknowledged.size === 0) return;
    await this.#subscription.dropPullRequest();
    for (const message of this.#unacknowledged) message.nak();
    this.#unacknowledged.clear();
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #receive(message: JsMsg): void {
    this.#unacknowledged.add(message);
    this.#queue.add(this.#applier.partitionOf(message), message);
    if (this.#working.size === PARTITIONS_MAX) return;
    const working = this.#drain().finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /** The delay of zero lets messages that arrive in one packet form one batch. */
  async #drain(): Promise<void> {
    await delay(0);
    for (let next; (next = this.#queue.next(BATCH_MAX)); this.#queue.release(next.partition))
      await this.#applyAll(next.items, next.partition).catch((error: unknown) =>
        this.#logger.error({ msg: 'events will be redelivered', consumer: this.durable, err: error }),
      );
  }

  async #applyAll(batch: readonly JsMsg[], partition: string): Promise<void> {
    if (this.#stopped) return;
    const attempt = await this.#attempt(batch);
    if (attempt.result === 'lost') return;
    if (attempt.result === 'applied') return this.#acknowledge(batch);
    const isLocked = partition !== '' && isLockTimeout(attempt.error);
    if (batch.length === 1 || isLocked) return this.#fail(batch, attempt.error);
    const half = Math.ceil(batch.length / 2);
    await this.#applyAll(batch.slice(0, half), partition);
    await this.#applyAll(batch.slice(half), partition);
  }

  #acknowledge(batch: readonly JsMsg[]): void {
    this.#retries.reset(batch);
    for (const message of batch) {
      this.#unacknowledged.delete(message);
      message.ack();
    }
  }

  async #fail(batch: readonly JsMsg[], error: unknown): Promise<void> {
    for (const message of batch) {
      this.#unacknowledged.delete(message);
      await this.#retries.add(message, error);
    }
  }

  /**
   * Retries a batch whose connection was lost; returns `lost` only when stopped. One lost connection while PostgreSQL accepts
   * new ones is an accident. The third in a row is caused by an event, for example by one whose transaction idles too long.
   */
  async #attempt(batch: readonly JsMsg[]): Promise<Attempt> {
    for (let lost = 1; ; lost++) {
      const attempt = await this.#applier.apply(batch);
      if (attempt.result !== 'lost') return attempt;
      const wasDown = await this.#awaitDatabase(attempt.error);
      if (this.#stopped) return attempt;
      if (wasDown) lost = 0;
      else if (lost === LOST_MAX) return { result: 'failed', error: attempt.error };
    }
  }

  /** Waits until PostgreSQL replies, or until `stop`. Returns whether it was down. */
  async #awaitDatabase(error: unknown): Promise<boolean> {
    if (await this.#databaseAnswers()) return false;
    this.#logger.warn({ msg: 'events wait for the database', consumer: this.durable, err: error });
    let extendedAtMs = 0;
    do {
      if (Date.now() - extendedAtMs >= EXTEND_EVERY_MS) {
        this.#extendDeadlines();
        extendedAtMs = Date.now();
      }
    } while (
      (await abortableDelay(DATABASE_PING_EVERY_MS, this.#stopping.signal)) &&
      !(await this.#databaseAnswers())
    );
    return true;
  }

  /** Extends the acknowledgement deadline of all unacknowledged messages, so that JetStream does not redeliver them. */
  #extendDeadlines(): void {
    for (const message of this.#unacknowledged) message.working();
  }

  #databaseAnswers(): Promise<boolean> {
    return this.database.query(ping).then(
      () => true,
      () => false,
    );
  }
}

const ping = statement('consumer.ping', 'SELECT 1');
