import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import {
  AppError,
  assertStructure,
  Busy,
  callersOf,
  instantiate,
  isIdempotent,
  isPublic,
  project,
  providerOf,
  type AccountContext,
  type CallContext,
  type Handler,
  type Input,
  type Operation,
  type OperationSpec,
  type ProviderContext,
} from '@vaultsvc/contracts';
import { runInScope, startSpanUnder, traceIdOf } from '@vaultsvc/telemetry';
import { Histogram } from 'prom-client';
import type { CallKeys } from './call-keys.js';
import { declaredError } from './declared-error.js';
import { GuardedHandler } from './guarded-handler.js';
import type { IdempotentCalls } from './idempotent-calls.js';
import { readCallIds } from './lost-calls.js';
import { markedReply } from './marked-reply.js';
import type { ProviderGuard } from './provider-guard.js';
import { RefusedCall, reportRefused } from './refused-messages.js';
import { ReplySender } from './reply-sender.js';
import { SeenCalls } from './seen-calls.js';
import { ShardRouter } from './shard-routing.js';
import { callTarget, shardSubject } from './shard-names.js';
import { instanceSubject, presenceSubject, runningAnswer, runningSubject } from './service-instances.js';
import {
  callerOf,
  EMPTY,
  errorReply,
  formOf,
  jsonOf,
  readCall,
  successReply,
  type ReplyWriter,
  type WireInput,
} from './wire.js';
import type { ReceivedCall, WireForm } from './wire-form.js';

const duration = new Histogram({
  name: 'vaultsvc_operation_duration_seconds',
  help: 'Time from receiving a message to its reply, by operation and outcome.',
  labelNames: ['operation', 'outcome'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

/** The longest time that a call is remembered, which bounds the memory of `SeenCalls`. */
const DEADLINE_MS_MAX = 60_000;

/** An operation and the method that handles it. */
export interface BoundHandler {
  readonly op: Operation;
  readonly handle: Handler<OperationSpec>;
  /** Verifies the requests of a provider; only its operations have one. */
  readonly guard?: ProviderGuard | undefined;
}

interface SignedCall {
  readonly call: ReceivedCall;
  readonly caller: string;
  readonly writer: ReplyWriter;
}

/** Serves operations from NATS in the queue group of the service, or of its shard, which distributes them over the instances. */
export class OperationServer {
  readonly #logger = new Logger('operations');
  readonly #subscriptions: Subscription[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #seen = new SeenCalls();
  /** The name of this instance towards its callers. */
  readonly #instance = randomUUID();
  /** Reply subjects of running calls, by service. */
  readonly #runningCalls = new Map<string, Set<string>>();
  readonly #replies: ReplySender;
  readonly #router: ShardRouter;

  constructor(
    private readonly connection: NatsConnection,
    private readonly keys: CallKeys,
    private readonly idempotentCalls?: IdempotentCalls,
    private readonly shard = 0,
    shards: readonly number[] = [0],
  ) {
    this.#replies = new ReplySender(connection);
    this.#router = new ShardRouter(shards);
  }

  /** @throws Error if there is no key for one of the operation's callers, or no guard for its provider */
  serve(handler: BoundHandler): void {
    const { op, guard } = handler;
    for (const caller of callersOf(op)) this.keys.between(caller, op.service);
    if (providerOf(op) && !guard) throw new Error(`${op.name} has no guard`);
    const callback = (error: Error | null, message: Msg) => {
      if (error) return this.#logger.error({ msg: 'subscription failed', operation: op.name, err: error });
      const answer = this.#answer(handler, message).finally(() => this.#running.delete(answer));
      this.#running.add(answer);
    };
    this.#subscriptions.push(
      this.connection.subscribe(shardSubject(op.subject, this.shard), { queue: op.service, callback }),
      this.connection.subscribe(instanceSubject(op.subject, this.#instance), { callback }),
    );
    if (!this.#runningCalls.has(op.service)) this.#reportRunning(op.service);
  }

  /** Tells callers which of their calls this instance is running (`LostCalls`). */
  #reportRunning(service: string): void {
    const calls = new Set<string>();
    const callback = (error: Error | null, message: Msg) => {
      if (error) return;
      const own = readCallIds(message).filter((call) => calls.has(call));
      message.respond(runningAnswer(this.#instance, own));
    };
    this.connection.subscribe(runningSubject(callTarget(service, this.shard)), { callback });
    this.connection.subscribe(presenceSubject(service, this.#instance), { callback: () => undefined });
    this.#runningCalls.set(service, calls);
  }

  /** Drains the subscriptions and waits for running handlers. NATS has closed those that its users may not have. */
  async drain(): Promise<void> {
    const open = this.#subscriptions.filter((subscription) => !subscription.isClosed());
    await Promise.all(open.map((subscription) => subscription.drain()));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #answer(handler: BoundHandler, message: Msg): Promise<void> {
    const { op } = handler;
    try {
      await this.#run(handler, this.#authenticate(op, message));
    } catch (error) {
      if (error instanceof RefusedCall) reportRefused(op.name, error);
      else this.#logger.error({ msg: 'a call could not be answered', operation: op.name, err: error });
    }
  }

  /**
   * Accepts a call from a caller that the contract names.
   * @throws RefusedCall
   */
  #authenticate(op: Operation, message: Msg): SignedCall {
    const caller = callerOf(message);
    if (caller === undefined || !callersOf(op).includes(caller)) throw new RefusedCall('caller');
    const mac = this.keys.between(caller, op.service);
    const form = readableForm(message);
    const call = form?.decodeCall(message);
    if (!form || !call) throw new RefusedCall('malformed');
    if (!form.isCallSigned(mac, op.name, message, call)) throw new RefusedCall('mac');
    return { call, caller, writer: { form, mac, replyTo: message.reply ?? '' } };
  }

  /** Carries out each call once. */
  async #run(handler: BoundHandler, { call, caller, writer }: SignedCall): Promise<void> {
    const { op } = handler;
    const stop = duration.startTimer({ operation: op.name });
    const { context, input } = readCall(call);
    const { deadlineMs } = context;
    const { replyTo } = writer;
    if (Date.now() > deadlineMs) return void stop({ outcome: 'LATE' });
    this.#admitOnce(replyTo, deadlineMs);
    this.#runningCalls.get(op.service)?.add(replyTo);
    const span = startSpanUnder(context.trace, 'server', op.name);
    const scope = span ? { requestId: context.requestId, trace: span.trace } : context;
    try {
      const payload = await runInScope(scope, () =>
        handler.guard
          ? this.#carryOutGuarded(handler, handler.guard, call)
          : this.#carryOut(handler, readInput(op, input, call.body), context as AccountContext),
      );
      this.#replies.send(successReply(writer, payload), deadlineMs);
      stop({ outcome: 'ok' });
      span?.end();
    } catch (error) {
      const known = declaredError(op, error);
      span?.end(known.status >= 500 ? (known.cause ?? known) : undefined);
      this.#log(op, known, context, caller);
      this.#replies.send(errorReply(writer, known), deadlineMs);
      stop({ outcome: known.code });
    } finally {
      this.#runningCalls.get(op.service)?.delete(replyTo);
    }
  }

  /** The payload of the success. */
  async #carryOut({ op, handle }: BoundHandler, input: Input, context: AccountContext): Promise<Uint8Array> {
    this.#assertOwnShard(op, input, context);
    const { idempotencyKey } = context;
    if (idempotencyKey === undefined || !this.idempotentCalls || !isIdempotent(op)) {
      const json = replyJson(op, await handle(input, context));
      return json === '' ? EMPTY : Buffer.from(json);
    }
    const call = { op, input, context: { ...context, idempotencyKey } };
    const { json, isReplayed } = await this.idempotentCalls.run(call, async () =>
      replyJson(op, await handle(input, context)),
    );
    return markedReply(json, isReplayed);
  }

  /** An instance of a release without shards, or with other SHARDS, has sent the call here. */
  #assertOwnShard(op: Operation, input: Input, context: AccountContext): void {
    const parts = input as { params?: object; query?: object; body?: object };
    if (this.#router.isAnsweredBy(this.shard, op, parts, context)) return;
    throw new AppError('INTERNAL_ERROR', undefined, {
      cause: new Error(`a call for another shard has come to shard ${this.shard}`),
    });
  }

  async #carryOutGuarded(
    { op, handle }: BoundHandler,
    guard: ProviderGuard,
    call: ReceivedCall,
  ): Promise<Uint8Array> {
    if (!isPublic(op)) throw new Error(`${op.name} has no route`);
    const { context, input } = readCall(call);
    const params = op.params && instantiate(op.params, input.params ?? {});
    const request = { op, params, raw: Buffer.from(call.body), context: context as ProviderContext };
    const guarded = new GuardedHandler(guard, handle);
    return Buffer.from(replyJson(op, await guarded.run(request)));
  }

  #admitOnce(replyTo: string, deadlineMs: number): void {
    if (deadlineMs > Date.now() + DEADLINE_MS_MAX) throw new RefusedCall('deadline');
    if (!this.#seen.add(replyTo, deadlineMs)) throw new RefusedCall('replay');
  }

  /** Refusals are the caller's business, but for those of a busy service. */
  #log(op: Operation, error: AppError, { requestId, trace, credential }: CallContext, caller?: string): void {
    const isFault = error.status >= 500;
    if (!isFault && !(error instanceof Busy)) return;
    const accountId = 'accountId' in credential ? credential.accountId : undefined;
    const line = { operation: op.name, requestId, traceId: traceIdOf(trace), caller, accountId };
    if (isFault) this.#logger.error({ msg: 'operation failed', ...line, err: error.cause });
    else this.#logger.warn({ msg: 'too busy', ...line, err: error });
  }
}

/** The client parses headers when they are first read, and throws for a name that is none. */
function readableForm(message: Msg): WireForm | undefined {
  try {
    return formOf(message);
  } catch {
    return undefined;
  }
}

/** Undefined is an acknowledgement without a body. */
function replyJson({ reply: type }: Operation, reply: unknown): string {
  return type && reply !== undefined ? JSON.stringify(project(type, reply)) : '';
}

/** Restores classes and defaults of the parts, which the sender has validated. */
function readInput(op: Operation, wire: WireInput, body: Uint8Array): Input {
  const parts = op as { params?: new () => object; query?: new () => object; body?: new () => object };
  return {
    params: parts.params && instantiate(parts.params, wire.params ?? {}),
    query: parts.query && instantiate(parts.query, wire.query ?? {}),
    body: parts.body && instantiate(parts.body, readBody(op, body)),
  } as Input;
}

/** The gateway counts a body before it parses it; so does the service, whoever sent it. */
function readBody(op: Operation, body: Uint8Array): object {
  if (body.length === 0) return {};
  if (isPublic(op)) assertStructure(body, op.structuralCharactersMax);
  return jsonOf(body) as object;
}
