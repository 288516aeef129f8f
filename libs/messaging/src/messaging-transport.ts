import { Inject, Injectable } from '@nestjs/common';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Handler, OperationSpec } from '@vaultsvc/contracts';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Consumer, PatternExtras } from './decorators.js';
import type { BoundConsumer } from './event-applier.js';
import { NATS } from './messaging-options.js';
import { MessagingRuntime } from './messaging-runtime.js';
import type { BoundHandler } from './operation-server.js';

/**
 * Nest's transport for `@Handles` and `@Consumes`, over the connection of this process. Nest gives it the methods of all
 * controllers, each behind its guards, pipes, interceptors and exception filters; `MessagingRuntime` calls them for messages that
 * it has accepted. So MAC, replay and deadline are checked before Nest sees a call.
 */
@Injectable()
export class MessagingTransport extends Server implements CustomTransportStrategy {
  /** Errors of consumers reach `EventConsumer`; Nest need not log them. */
  override readonly propagatesEventHandlerErrors = true;
  readonly #handlers: BoundHandler[] = [];
  readonly #consumers: BoundConsumer[] = [];

  constructor(
    private readonly runtime: MessagingRuntime,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {
    super();
  }

  /** @throws Error for a method that only has a pattern of Nest: nothing would authenticate its callers */
  override addHandler(
    pattern: string,
    callback: MessageHandler,
    _isEvent?: boolean,
    extras: PatternExtras = {},
  ): void {
    const { operations, consumption } = extras;
    const op = operations?.find(({ subject }) => subject === pattern);
    const call = resolving(callback);
    if (op) this.#handlers.push({ op, handle: call as Handler<OperationSpec> });
    else if (consumption) this.#consumers.push({ ...consumption, consume: call as Consumer<object> });
    else throw new Error(`${pattern} is not declared: mark its method with @Handles or @Consumes`);
  }

  /** Starts consumers and operations. */
  override listen(callback: (error?: unknown) => void): void {
    this.runtime.start(this.#handlers, this.#consumers).then(() => callback(), callback);
  }

  /** Drains operations. Consumers and outbox follow in `beforeApplicationShutdown`, after the jobs that publish events. */
  override close(): Promise<void> {
    return this.runtime.drainOperations();
  }

  override on(): never {
    throw new Error('The connection has a status of its own: inject NATS');
  }

  override unwrap<T>(): T {
    return this.connection as T;
  }
}

/** Interceptors and exception filters reply with observables; a method without them with a promise, at no further cost. */
function resolving(callback: MessageHandler): (data: unknown, context: unknown) => Promise<unknown> {
  return async (data, context) => {
    const reply: unknown = await callback(data, context);
    return isObservable(reply) ? lastValueFrom(reply, { defaultValue: undefined }) : reply;
  };
}
