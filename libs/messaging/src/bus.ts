import { setTimeout as delay } from 'node:timers/promises';
import { errors as natsErrors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import {
  AppError,
  type CallContext,
  type CallInput,
  type Operation,
  type OperationSpec,
  type Reply,
} from '@vaultsvc/contracts';
import type { CallContextMac } from '@vaultsvc/crypto/mac';
import { Histogram } from 'prom-client';
import { EMPTY, readError, requestHeaders, type WireInput } from './wire.js';

const REPEAT_AFTER_MS = 150;

const duration = new Histogram({
  name: 'vaultsvc_bus_call_duration_seconds',
  help: 'Time from sending an operation to its reply, by operation.',
  labelNames: ['operation'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** No instance of the service is connected, or none replied in time. The caller gets INTERNAL_ERROR (ENV-30). */
export class ServiceUnavailable extends Error {
  override readonly name = 'ServiceUnavailable';
  constructor(
    readonly service: string,
    readonly kind: 'absent' | 'slow' | 'disconnected',
    options?: ErrorOptions,
  ) {
    super(`service ${service} is ${kind}`, options);
  }
}

/**
 * NATS request/reply to the operations of other services. Every call has a deadline. Only operations declared `repeatable`
 * are sent a second time, and only when no instance received the first.
 */
export class Bus {
  constructor(
    private readonly connection: NatsConnection,
    private readonly mac: CallContextMac,
  ) {}

  /**
   * Calls an operation and returns its typed reply.
   * @throws the AppError that the service replied with; INTERNAL_ERROR caused by `ServiceUnavailable` without a reply
   */
  async call<S extends OperationSpec>(
    op: Operation<S>,
    input: CallInput<S>,
    context: CallContext,
  ): Promise<Reply<S>> {
    const { params, query, body } = input as { params?: object; query?: object; body?: object };
    const bytes = body === undefined ? EMPTY : Buffer.from(JSON.stringify(body));
    const reply = await this.forward(op, { params, query }, bytes, context);
    return (reply.length === 0 ? undefined : JSON.parse(Buffer.from(reply).toString())) as Reply<S>;
  }

  /** As `call`, with request and reply bodies as bytes. */
  async forward(
    op: Operation,
    input: WireInput,
    body: Uint8Array,
    context: CallContext,
  ): Promise<Uint8Array> {
    const stop = duration.startTimer({ operation: op.name });
    const message = await this.#send(op, input, body, context).finally(stop);
    const error = readError(message);
    if (error) throw error;
    return message.data;
  }

  async #send(op: Operation, input: WireInput, body: Uint8Array, context: CallContext): Promise<Msg> {
    try {
      return await this.#request(op, input, body, context);
    } catch (error) {
      if (!op.repeatable || !isAbsent(error)) throw unavailable(op, error);
    }
    await delay(REPEAT_AFTER_MS);
    return this.#request(op, input, body, context).catch((error: unknown) => {
      throw unavailable(op, error);
    });
  }

  #request(op: Operation, input: WireInput, body: Uint8Array, context: CallContext): Promise<Msg> {
    const timeout = Math.max(1, context.deadlineMs - Date.now());
    const headers = requestHeaders(this.mac, op, input, context);
    return this.connection.request(op.subject, body, { timeout, headers });
  }
}

/** NATS reports "no responders" at once; a timeout means that an instance has the message and may still act on it. */
function isAbsent(error: unknown): boolean {
  return error instanceof natsErrors.RequestError && error.isNoResponders();
}

function unavailable(op: Operation, error: unknown): AppError {
  const slow =
    error instanceof natsErrors.TimeoutError ||
    (error instanceof Error && error.cause instanceof natsErrors.TimeoutError);
  const kind = isAbsent(error) ? 'absent' : slow ? 'slow' : 'disconnected';
  return new AppError('INTERNAL_ERROR', undefined, {
    cause: new ServiceUnavailable(op.service, kind, { cause: error }),
  });
}
