import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ConsumerInfo, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Delivery } from '@vaultsvc/contracts';
import type { EventVerifier } from '@vaultsvc/crypto/signature';
import { isLockTimeout, statement, type Database } from '@vaultsvc/database';
import { DeadLetterReplay } from './dead-letter-replay.js';
import { inScopeOf } from './delivery-scope.js';
import { EventApplier, type Attempt, type BoundConsumer } from './event-applier.js';
import { EventReader, eventSubject } from './event-batch.js';
import { EventRetries } from './event-retries.js';
import { abortableDelay, ACK_WAIT_MS, EventSubscription } from './event-subscription.js';
import { PartitionedQueue } from './partitioned-queue.js';
import { ReceivedBatch } from './received-batch.js';
import { durableName } from './shard-names.js';
import { streamOf, type EventStream } from './streams.js';

const TRANSACTION_MAX = 256;
/** Partitions applied concurrently. Each uses one of the service's ten connections, for each service it consumes from. */
const PARTITIONS_MAX = 2;
const LOST_MAX = 3;
const DATABASE_PING_EVERY_MS = 250;
/** A ping of a silent database takes up to 11 s; together they stay below `ACK_WAIT_MS`. */
const EXTEND_EVERY_MS = ACK_WAIT_MS / 3;

interface ConsumerOptions {
  /** Verifies the events of the source. */
  readonly verifier: EventVerifier;
  /** By default that of all events, without replicas. */
  readonly stream?: EventStream;
  /** Of the accounts whose events it applies. */
  readonly shard?: number;
  /** Delays after the first failure of an event, the second, and so on; the last one applies to all further failures. */
  readonly retryAfterMs?: readonly number[];
}

/** An event and the message that brought it. */
interface Received {
  readonly delivery: Delivery;
  readonly batch: ReceivedBatch;
}

/**
 * Applies the events of one other service, through one durable JetStream consumer that all instances share.
 *
 * A message holds the events that their publisher sent together, signed. They are applied in transactions of up to 256
 * events, which record them in `processed` together with their effects. All events of a transaction belong to one partition
 * (`ConsumesPartitioned`); two partitions are applied concurrently. Failed events are bisected until the failing one is alone
 * and blocks no other. Those whose partition is locked are redelivered together, because each half would wait for the same
 * lock. While PostgreSQL is down no event counts as failed: they are applied once it is back.
 */
export class EventConsumer {
  /** Name of the durable consumer, for example `reporting-sparks`. */
  readonly durable: string;
  readonly #logger = new Logger('events');
  readonly #stopping = new AbortController();
  readonly #subscription: EventSubscription;
  readonly #reader: EventReader;
  readonly #applier: EventApplier;
  readonly #retries: EventRetries;
  readonly #replay: DeadLetterReplay;
  readonly #queue = new PartitionedQueue<Received>();
  /** Messages received and not acknowledged yet: the queue and the running transactions. */
  readonly #unacknowledged = new Set<JsMsg>();
  readonly #working = new Set<Promise<void>>();

  constructor(
    connection: NatsConnection,
    private readonly database: Database,
    service: string,
    readonly source: string,
    handlers: readonly BoundConsumer[],
    { verifier, stream = streamOf(source, 'one', 1), shard = 0, retryAfterMs }: ConsumerOptions,
  ) {
    this.durable = durableName(service, source, shard);
    this.#reader = new EventReader(verifier, source, service, shard);
    this.#applier = new EventApplier(database, this.durable, handlers);
    this.#retries = new EventRetries(database, this.durable, retryAfterMs);
    this.#replay = new DeadLetterReplay(database, this.durable, this.#applier);
    this.#subscription = new EventSubscription(connection, {
      durable: this.durable,
      filterSubject: eventSubject(source, service, shard),
      stream,
      stopping: this.#stopping.signal,
      receive: (message) => this.#receive(message),
    });
  }

  /** Makes sure that NATS keeps events for this consumer. Rejects while it cannot. */
  ensure(): Promise<void> {
    return this.#subscription.ensure();
  }

  async start(): Promise<void> {
    await this.#subscription.start();
    this.#replay.start();
  }

  /** Applies dead letters that an operator has requested; it also happens every 15 s. Returns how many were applied. */
  replayRequested(): Promise<number> {
    return this.#replay.round();
  }

  /** The state of the consumer at the server. Rejects while NATS does not answer. */
  info(): Promise<ConsumerInfo> {
    return this.#subscription.info();
  }

  /** Finishes running transactions and returns all other events, so that another instance applies them at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#replay.stop();
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
    try {
      this.#enqueue(message, this.#reader.read(message));
    } catch (error) {
      void this.#retries.refuse(message, error).finally(() => this.#unacknowledged.delete(message));
    }
  }

  #enqueue(message: JsMsg, deliveries: readonly Delivery[]): void {
    const applied = deliveries.filter(({ name }) => this.#applier.applies(name));
    const batch = new ReceivedBatch(message, applied.length, () => this.#unacknowledged.delete(message));
    for (const delivery of applied) this.#queue.add(this.#applier.partitionOf(delivery), { delivery, batch });
    // One message may fill several partitions. A worker that finds none waiting ends.
    for (let free = PARTITIONS_MAX - this.#working.size; free > 0; free--) this.#work();
  }

  #work(): void {
    const working = this.#drain().finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /** The delay of zero lets messages that arrive in one packet form one transaction. */
  async #drain(): Promise<void> {
    await delay(0);
    for (let next; (next = this.#queue.next(TRANSACTION_MAX)); this.#queue.release(next.partition))
      await this.#applyAll(next.items, next.partition).catch((error: unknown) =>
        this.#logger.error({ msg: 'events will be redelivered', consumer: this.durable, err: error }),
      );
  }

  async #applyAll(received: readonly Received[], partition: string): Promise<void> {
    if (this.#stopped) return;
    const attempt = await this.#attempt(received);
    if (attempt.result === 'lost') return;
    if (attempt.result === 'applied') return this.#settle(received);
    const isLocked = partition !== '' && isLockTimeout(attempt.error);
    if (received.length === 1 || isLocked) return this.#fail(received, attempt.error);
    const half = Math.ceil(received.length / 2);
    await this.#applyAll(received.slice(0, half), partition);
    await this.#applyAll(received.slice(half), partition);
  }

  #settle(received: readonly Received[]): void {
    this.#retries.reset(received.map(({ delivery }) => delivery.id));
    for (const { batch } of received) batch.settle();
  }

  async #fail(received: readonly Received[], error: unknown): Promise<void> {
    for (const { delivery, batch } of received)
      batch.settle(await this.#retries.add(delivery, batch.message, error));
  }

  /**
   * Retries a transaction whose connection was lost; returns `lost` only when stopped. One lost connection while PostgreSQL accepts
   * new ones is an accident. The third in a row is caused by an event, for example by one whose transaction idles too long.
   */
  async #attempt(received: readonly Received[]): Promise<Attempt> {
    const deliveries = received.map(({ delivery }) => delivery);
    for (let lost = 1; ; lost++) {
      const attempt = await inScopeOf(this.durable, deliveries, () => this.#applier.apply(deliveries));
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
