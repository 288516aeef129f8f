import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';

export interface StreamMessage {
  readonly subject: string;
  readonly data: string;
  /** The stream drops a message whose id it has seen within its duplicate window. */
  readonly id: string;
}

/**
 * Publishes messages and resolves when the stream has stored every one of them; rejects when it refuses one
 * or does not answer for all in time. All acknowledgements come to one inbox and are counted: a request of its
 * own for each would cost four times as much.
 * @param inbox a subject of our own that nobody else listens on
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
      if (refusal) return finish(refusal);
      if (--waiting === 0) finish();
    };
    const subscription = connection.subscribe(inbox, { callback });
    const late = () =>
      finish(new Error(`the stream did not acknowledge ${waiting} of ${messages.length} events in time`));
    const timer = setTimeout(late, timeoutMs);
    const finish = (error?: Error) => {
      clearTimeout(timer);
      subscription.unsubscribe();
      if (error) reject(error);
      else resolve();
    };
    for (const { subject, data, id } of messages) {
      const head = headers();
      head.set('Nats-Msg-Id', id);
      connection.publish(subject, data, { reply: inbox, headers: head });
    }
  });
}

/** Status 503 comes from a server that has no stream for the subject; a refusal of the stream is JSON. */
function refusalOf(ack: Msg): Error | undefined {
  if (ack.headers?.code === 503) return new Error('no stream takes the events');
  const { error } = ack.json<{ error?: { description: string } }>();
  return error && new Error(`the stream refused an event: ${error.description}`);
}
