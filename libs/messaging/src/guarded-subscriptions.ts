import { Logger } from '@nestjs/common';
import type { NatsConnection, SubscriptionOptions } from '@nats-io/transport-node';
import { refused } from './refused-messages.js';

type Callback = NonNullable<SubscriptionOptions['callback']>;

const LOG_EVERY_MS = 1_000;

const logger = new Logger('nats');
let loggedAtMs = -Infinity;

/**
 * Lets every subscription of a connection survive the errors of its callback, those of the JetStream client included. The client
 * reads a connection in one loop, which the first error of a callback ends: the process would go on sending, and read nothing
 * more. Headers are parsed when they are first read, so that even a message that a callback only inspects can throw.
 */
export function guardSubscriptions(connection: NatsConnection): void {
  const subscribe = connection.subscribe.bind(connection);
  connection.subscribe = (subject, options) =>
    subscribe(subject, options?.callback ? { ...options, callback: guarded(options.callback) } : options);
}

function guarded(callback: Callback): Callback {
  return (error, message) => {
    try {
      return callback(error, message);
    } catch (failure) {
      reportUnreadable(failure);
    }
  };
}

/** Counts a message that could not be read, and logs at most one each second, so that a flood fills no disk. */
export function reportUnreadable(error: unknown): void {
  refused.inc({ operation: '', message: 'unreadable', reason: 'malformed' });
  const nowMs = performance.now();
  if (nowMs - loggedAtMs < LOG_EVERY_MS) return;
  loggedAtMs = nowMs;
  logger.error({ msg: 'a message could not be read', err: error });
}
