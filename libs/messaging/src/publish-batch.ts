import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { reportUnreadable } from './guarded-subscriptions.js';

export interface StreamMessage {
  readonly subject: string;
  readonly data: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `Nats-Msg-Id`: the stream drops a message whose id it has stored within its duplicate window. */
  readonly id: string;
}

/**
 * Publishes messages and resolves when the stream has acknowledged all of them. All acknowledgements arrive at one inbox and
 * are counted; a request for each message would cost four times as much.
 * @param inbox a subject that only this call subscribes to
 * @throws when the stream refuses a message, or has not acknowledged all of them within `timeoutMs`
 */
export function publishBatch(
  connection: NatsConnection,
  inbox: string,
  messages: readonly StreamMessage[],
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let waiting = messages.length;
    const callback = (error: Error | null, ack: Msg) => {
      const refusal = error ?? refusalOf(ack);
      if (refusal === UNREADABLE) return;
      if (refusal) return finish(refusal);
      if (--waiting === 0) finish();
    };
    const subscription = connection.subscribe(inbox, { callback });
    const late = () =>
      finish(new Error(`the stream did not acknowledge ${waiting} of ${messages.length} messages in time`));
    const timer = setTimeout(late, timeoutMs);
    const finish = (error?: Error) => {
      clearTimeout(timer);
      subscription.unsubscribe();
      if (error) reject(error);
      else resolve();
    };
    for (const { subject, data, headers: own = {}, id } of messages) {
      const head = headers();
      for (const [name, value] of Object.entries(own)) head.set(name, value);
      head.set('Nats-Msg-Id', id);
      connection.publish(subject, data, { reply: inbox, headers: head });
    }
  });
}

/** A message that is no acknowledgement. It counts for none, and refuses none. */
const UNREADABLE = Symbol('unreadable');

/** The server replies with status 503 when no stream has the subject; a stream acknowledges and refuses with JSON. */
function refusalOf(ack: Msg): Error | typeof UNREADABLE | undefined {
  try {
    if (ack.headers?.code === 503) return new Error('no stream has the subject of the events');
    const { error, stream } = ack.json<{ error?: { description: string }; stream?: string }>();
    if (error) return new Error(`the stream refused an event: ${error.description}`);
    return stream === undefined ? UNREADABLE : undefined;
  } catch (error) {
    reportUnreadable(error);
    return UNREADABLE;
  }
}
