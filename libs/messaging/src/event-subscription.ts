import { Logger } from '@nestjs/common';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  type Consumer,
  type ConsumerInfo,
  type ConsumerMessages,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { ensureStream, type EventStream } from './streams.js';
import { setTimeout as delay } from 'node:timers/promises';

/** JetStream redelivers a message that is neither acknowledged nor extended within this time. */
export const ACK_WAIT_MS = 30_000;
/** Messages hold up to 256 events each. */
const PREFETCH_MAX = 32;
const PENDING_MAX = 128;
const RESTART_AFTER_MS = 1_000;

interface SubscriptionOptions {
  /** Name of the durable consumer, shared by all instances of a service. */
  readonly durable: string;
  /** One subject only: `filter_subjects` needs server 2.10. */
  readonly filterSubject: string;
  readonly stream: EventStream;
  /** Once aborted, no new subscription starts. */
  readonly stopping: AbortSignal;
  readonly receive: (message: JsMsg) => void;
}

/** Pulls the messages of one durable consumer of a stream of events, and creates both when they are missing. */
export class EventSubscription {
  readonly #logger = new Logger('events');
  #starting: Promise<void> | undefined;
  #consumer: Consumer | undefined;
  /** For the next start: it need not ask again. One that is deleted before closes the subscription, which starts again. */
  #ensured: Consumer | undefined;
  #messages: ConsumerMessages | undefined;

  constructor(
    private readonly connection: NatsConnection,
    private readonly options: SubscriptionOptions,
  ) {}

  /** Creates the stream and the consumer if they are missing. Rejects while NATS cannot: a cluster has no leader for a moment. */
  async ensure(): Promise<void> {
    this.#ensured = this.#consumer = await this.#ensureConsumer();
  }

  start(): Promise<void> {
    return (this.#starting = this.#start());
  }

  /** Call after `stopping` was aborted. No message is received after it resolves. */
  async close(): Promise<void> {
    await this.#starting?.catch(() => {}); // the caller of `start` handles its error; here it only has to end
    await this.#messages?.close();
  }

  /**
   * Call after `close`, before messages are returned with a NAK. Server 2.9 notices a closed pull request only when it serves
   * it: it would deliver the first returned message to that request and hold it for `ACK_WAIT_MS`. Asking for the consumer's
   * state makes the server drop the request. Never rejects.
   */
  async dropPullRequest(): Promise<void> {
    await this.#consumer?.info().catch(() => {});
  }

  /** The state of the consumer at the server. Rejects before the consumer is known, and while NATS does not answer. */
  async info(): Promise<ConsumerInfo> {
    if (!this.#consumer) throw new Error('the consumer has not started');
    return this.#consumer.info();
  }

  async #start(): Promise<void> {
    const { stopping, receive } = this.options;
    const consumer = this.#ensured ?? (await this.#ensureConsumer());
    this.#ensured = undefined;
    if (stopping.aborted) return;
    this.#consumer = consumer;
    this.#messages = await consumer.consume({
      max_messages: PREFETCH_MAX,
      abort_on_missing_resource: true, // otherwise it would poll a deleted consumer without end
      callback: receive,
    });
    void this.#restartWhenClosed(this.#messages);
  }

  async #ensureConsumer(): Promise<Consumer> {
    const { durable, filterSubject, stream } = this.options;
    const manager = await ensureStream(this.connection, stream);
    await manager.consumers.add(stream.name, {
      durable_name: durable,
      filter_subject: filterSubject,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: PENDING_MAX,
    });
    return jetstream(this.connection).consumers.get(stream.name, durable);
  }

  /** Recreates a consumer or stream that was deleted on the server; the outboxes hold the lost events. */
  async #restartWhenClosed(messages: ConsumerMessages): Promise<void> {
    const { durable, stopping } = this.options;
    const reason = await messages.closed();
    if (stopping.aborted) return;
    this.#logger.warn({ msg: 'event consumer closed, starting again', consumer: durable, err: reason });
    while (await abortableDelay(RESTART_AFTER_MS, stopping)) {
      try {
        return await this.start();
      } catch (error) {
        this.#logger.warn({ msg: 'event consumer cannot start yet', consumer: durable, err: error });
      }
    }
  }
}

/** Resolves to true after `ms`, or to false as soon as the signal is aborted. */
export function abortableDelay(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false);
}
