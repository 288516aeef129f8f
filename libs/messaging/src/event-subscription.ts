import { Logger } from '@nestjs/common';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  type Consumer,
  type ConsumerMessages,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { ensureEventsStream, EVENTS_STREAM } from './streams.js';
import { setTimeout as delay } from 'node:timers/promises';

/** A message that is neither settled nor asked to be kept within this time is delivered again. */
export const ACK_WAIT_MS = 30_000;
const AHEAD_MAX = 512;
const PENDING_MAX = 2_048;
const RESTART_AFTER_MS = 1_000;

interface SubscriptionOptions {
  /** Name of the durable consumer, shared by all copies of a service. */
  readonly durable: string;
  /** Server 2.9 knows a single one. */
  readonly filterSubject: string;
  /** Copies of the stream, if it has to be made. */
  readonly replicas: number;
  /** Once aborted, nothing is subscribed any more. */
  readonly stopping: AbortSignal;
  readonly take: (message: JsMsg) => void;
}

/** Takes the messages of one durable consumer of the events stream, and makes both when they are missing. */
export class EventSubscription {
  readonly #logger = new Logger('events');
  #starting: Promise<void> | undefined;
  #consumer: Consumer | undefined;
  #messages: ConsumerMessages | undefined;

  constructor(
    private readonly connection: NatsConnection,
    private readonly options: SubscriptionOptions,
  ) {}

  start(): Promise<void> {
    return (this.#starting = this.#start());
  }

  /** To be called when `stopping` has been aborted: after it no message is taken. */
  async close(): Promise<void> {
    await this.#starting?.catch(() => {}); // whoever started it is told; here it only has to be over
    await this.#messages?.close();
  }

  /**
   * To be called when closed, before messages are given back. The server notices a closed pull only when it looks at it:
   * server 2.9 does so with the first message given back, and then keeps that for `ACK_WAIT_MS`. Whoever asks for the
   * number of waiting pulls makes it look. Never fails; without an answer nothing is worse than unasked.
   */
  async forgetPull(): Promise<void> {
    await this.#consumer?.info().catch(() => {});
  }

  async #start(): Promise<void> {
    const { stopping, take } = this.options;
    const consumer = await this.#ensureConsumer();
    if (stopping.aborted) return;
    this.#consumer = consumer;
    this.#messages = await consumer.consume({
      max_messages: AHEAD_MAX,
      abort_on_missing_resource: true, // else it would ask a deleted consumer for messages for ever
      callback: take,
    });
    void this.#restartWhenClosed(this.#messages);
  }

  async #ensureConsumer(): Promise<Consumer> {
    const { durable, filterSubject, replicas } = this.options;
    const manager = await ensureEventsStream(this.connection, replicas);
    await manager.consumers.add(EVENTS_STREAM, {
      durable_name: durable,
      filter_subject: filterSubject,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: PENDING_MAX,
    });
    return jetstream(this.connection).consumers.get(EVENTS_STREAM, durable);
  }

  /** A consumer or stream that was deleted on the server is made again; the outboxes hold what it lost. */
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

/** Waits that many milliseconds; `false`, and at once, if the signal ends the wait. */
export function abortableDelay(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false);
}
