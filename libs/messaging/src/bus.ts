import { setTimeout as delay } from 'node:timers/promises';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import {
  AppError,
  isIdempotent,
  type CallContext,
  type CallInput,
  type Operation,
  type OperationSpec,
  type Reply,
} from '@vaultsvc/contracts';
import type { CallMac } from '@vaultsvc/crypto/mac';
import { currentScope, isTracing, startSpan, type Span } from '@vaultsvc/telemetry';
import { Histogram } from 'prom-client';
import type { CallKeys } from './call-keys.js';
import { headersForm } from './headers-form.js';
import { readMarkedReply, type ForwardedReply } from './marked-reply.js';
import { OutdatedServices } from './outdated-services.js';
import { refused } from './refused-messages.js';
import { NoReply, ReplyInbox, type NoReplyKind } from './reply-inbox.js';
import { instanceSubject } from './service-instances.js';
import { callTarget, shardSubject } from './shard-names.js';
import { ShardRouter } from './shard-routing.js';
import { callOf, EMPTY, errorOf, jsonOf, publish, readReply, type WireInput } from './wire.js';
import type { ReceivedReply, WireForm } from './wire-form.js';

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
    readonly kind: NoReplyKind,
    options?: ErrorOptions,
  ) {
    super(`service ${service} is ${kind}`, options);
  }
}

/**
 * NATS request/reply to the operations of other services. Every call has a deadline, and calls and replies are authenticated
 * (OPEN-51). Only operations declared `repeatable` are sent a second time, and only when no instance received the first; and
 * calls to one instance that has just gone, in place of a silent one that NATS would have chosen.
 */
export class Bus {
  readonly #inbox: ReplyInbox;
  readonly #outdated = new OutdatedServices();
  readonly #shards: ShardRouter;

  /**
   * @param form that of the oldest release which a called instance may have
   * @param shards those that exist
   */
  constructor(
    private readonly connection: NatsConnection,
    private readonly keys: CallKeys,
    private readonly form: WireForm = headersForm,
    shards: readonly number[] = [0],
  ) {
    this.#shards = new ShardRouter(shards);
    this.#inbox = new ReplyInbox(connection, keys.service);
  }

  /**
   * Calls an operation and returns its typed reply.
   * @throws the AppError that the service replied with; INTERNAL_ERROR caused by `ServiceUnavailable` without a reply
   */
  async call<S extends OperationSpec>(
    op: Operation<S>,
    input: CallInput<S>,
    context: CallContext,
  ): Promise<Reply<S>> {
    return this.callShard(op, input, context, this.#shards.shardOf(op, input, context));
  }

  /** As `call`, to the shard of the service that the caller knows. */
  async callShard<S extends OperationSpec>(
    op: Operation<S>,
    input: CallInput<S>,
    context: CallContext,
    shard: number,
  ): Promise<Reply<S>> {
    const { params, query, body } = input as { params?: object; query?: object; body?: object };
    const bytes = body === undefined ? EMPTY : Buffer.from(JSON.stringify(body));
    const { reply } = await this.forward(op, { params, query }, bytes, context, shard);
    return (reply.length === 0 ? undefined : jsonOf(reply)) as Reply<S>;
  }

  /**
   * As `call`, with request and reply bodies as bytes; the reply may be that of an earlier call (OPEN-67). Calls with an
   * Idempotency-Key are refused while the service has an instance that knows none (`OutdatedServices`).
   */
  async forward(
    op: Operation,
    input: WireInput,
    body: Uint8Array,
    context: CallContext,
    shard = this.#shards.shardOf(op, input, context),
  ): Promise<ForwardedReply> {
    const isKeyed = context.idempotencyKey !== undefined && isIdempotent(op);
    if (isKeyed) this.#outdated.assertHas(op.service, 'idempotency');
    const stop = duration.startTimer({ operation: op.name });
    const span = startSpan('client', op.name);
    const sent = this.#send({ op, shard }, input, body, traced(context, span));
    const received = await (span ? ending(span, sent) : sent).finally(stop);
    const error = errorOf(received);
    if (error) throw error;
    const reply = isKeyed ? readMarkedReply(received.payload) : undefined;
    if (isKeyed && !reply) this.#outdated.found(op.service, 'idempotency');
    return reply ?? { reply: received.payload, isReplayed: false };
  }

  async #send(
    called: ShardedOperation,
    input: WireInput,
    body: Uint8Array,
    context: CallContext,
  ): Promise<ReceivedReply> {
    const { op, shard } = called;
    const instance = this.#inbox.instanceFor(callTarget(op.service, shard));
    try {
      return await this.#request(called, input, body, context, instance);
    } catch (error) {
      const isRepeated = op.repeatable || instance !== undefined;
      if (!isRepeated || !isAbsent(error)) throw unavailable(op, error);
    }
    if (instance === undefined) await delay(REPEAT_AFTER_MS);
    return this.#request(called, input, body, context).catch((error: unknown) => {
      throw unavailable(op, error);
    });
  }

  async #request(
    { op, shard }: ShardedOperation,
    input: WireInput,
    body: Uint8Array,
    context: CallContext,
    instance?: string,
  ): Promise<ReceivedReply> {
    const mac = this.keys.between(this.keys.service, op.service);
    const replyTo = this.#inbox.newSubject();
    const encoded = this.form.encodeCall(mac, callOf(op, replyTo, input, context, body));
    const timeoutMs = Math.max(1, context.deadlineMs - Date.now());
    const reply = this.#inbox.wait(replyTo, callTarget(op.service, shard), timeoutMs, (message) =>
      readAuthentic(mac, op, message),
    );
    try {
      const subject =
        instance === undefined ? shardSubject(op.subject, shard) : instanceSubject(op.subject, instance);
      publish(this.connection, { subject, reply: replyTo, ...encoded });
    } catch (error) {
      this.#inbox.fail(replyTo, error);
    }
    return reply;
  }
}

/** An operation, and the shard of its service that answers. */
interface ShardedOperation {
  readonly op: Operation;
  readonly shard: number;
}

/** The called service continues the trace. Without traces here, that of the caller of this service goes on. */
function traced(context: CallContext, span: Span | undefined): CallContext {
  const trace = span?.trace ?? (isTracing() ? currentScope()?.trace : undefined);
  return trace === undefined ? context : { ...context, trace };
}

async function ending<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    const result = await work;
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

function readAuthentic(mac: CallMac, op: Operation, message: Msg): ReceivedReply | undefined {
  const reply = readReply(mac, message);
  if (!reply) refused.inc({ operation: op.name, message: 'reply', reason: 'mac' });
  return reply;
}

/** No instance received the call; after a timeout one may have it and still act on it. */
function isAbsent(error: unknown): boolean {
  return error instanceof NoReply && error.kind === 'absent';
}

function unavailable(op: Operation, error: unknown): AppError {
  const kind = error instanceof NoReply ? error.kind : 'disconnected';
  return new AppError('INTERNAL_ERROR', undefined, {
    cause: new ServiceUnavailable(op.service, kind, { cause: error }),
  });
}
