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
import type { CallMac } from '@vaultsvc/crypto/mac';
import { runInScope, startSpanUnder, traceIdOf } from '@vaultsvc/telemetry';
import { Histogram } from 'prom-client';
import type { CallKeys } from './call-keys.js';
import { declaredError } from './declared-error.js';
import { GuardedHandler } from './guarded-handler.js';
import type { IdempotentCalls } from './idempotent-calls.js';
import { readCallIds } from './lost-calls.js';
import type { ProviderGuard } from './provider-guard.js';
import { RefusedCall, reportRefused } from './refused-messages.js';
import { ReplySender } from './reply-sender.js';
import { SeenCalls } from './seen-calls.js';
import { instanceSubject, presenceSubject, runningAnswer, runningSubject } from './service-instances.js';
import {
  callerOf,
  EMPTY,
  errorReply,
  markedReply,
  readCall,
  successReply,
  verifyCall,
  type WireInput,
} from './wire.js';

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

/** Serves operations from NATS in the queue group of the service, which distributes them over its instances. */
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

  constructor(
    private readonly connection: NatsConnection,
    private readonly keys: CallKeys,
    private readonly idempotentCalls?: IdempotentCalls,
  ) {
    this.#replies = new ReplySender(connection);
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
      this.connection.subscribe(op.subject, { queue: op.service, callback }),
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
    this.connection.subscribe(runningSubject(service), { callback });
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
      await this.#run(handler, message, this.#authenticate(op, message));
    } catch (error) {
      if (error instanceof RefusedCall) reportRefused(op.name, error);
      else this.#logger.error({ msg: 'a call could not be answered', operation: op.name, err: error });
    }
  }

  /**
   * Accepts each call once, from a caller that the contract names.
   * @returns the MAC of this pair of services
   * @throws RefusedCall
   */
  #authenticate(op: Operation, message: Msg): CallMac {
    const caller = callerOf(message);
    if (caller === undefined || !callersOf(op).includes(caller)) throw new RefusedCall('caller');
    const mac = this.keys.between(caller, op.service);
    if (!isReadable(message)) throw new RefusedCall('malformed');
    if (!verifyCall(mac, op, message)) throw new RefusedCall('mac');
    return mac;
  }

  async #run(handler: BoundHandler, message: Msg, mac: CallMac): Promise<void> {
    const { op } = handler;
    const stop = duration.startTimer({ operation: op.name });
    const { context, input } = readCall(message);
    const { deadlineMs } = context;
    const replyTo = message.reply ?? '';
    if (Date.now() > deadlineMs) return void stop({ outcome: 'LATE' });
    this.#admitOnce(replyTo, deadlineMs);
    this.#runningCalls.get(op.service)?.add(replyTo);
    const span = startSpanUnder(context.trace, 'server', op.name);
    const scope = span ? { requestId: context.requestId, trace: span.trace } : context;
    try {
      const payload = await runInScope(scope, () =>
        handler.guard
          ? this.#carryOutGuarded(handler, handler.guard, message)
          : this.#carryOut(handler, readInput(op, input, message), context as AccountContext),
      );
      this.#replies.send(successReply(mac, replyTo, payload), deadlineMs);
      stop({ outcome: 'ok' });
      span?.end();
    } catch (error) {
      const known = declaredError(op, error);
      span?.end(known.status >= 500 ? (known.cause ?? known) : undefined);
      this.#log(op, known, context, callerOf(message));
      this.#replies.send(errorReply(mac, replyTo, known), deadlineMs);
      stop({ outcome: known.code });
    } finally {
      this.#runningCalls.get(op.service)?.delete(replyTo);
    }
  }

  /** The payload of the success. */
  async #carryOut({ op, handle }: BoundHandler, input: Input, context: AccountContext): Promise<Uint8Array> {
    const { idempotencyKey } = context;
    if (idempotencyKey === undefined || !this.idempotentCalls || !isIdempotent(op)) {
      const json = jsonOf(op, await handle(input, context));
      return json === '' ? EMPTY : Buffer.from(json);
    }
    const call = { op, input, context: { ...context, idempotencyKey } };
    const { json, isReplayed } = await this.idempotentCalls.run(call, async () =>
      jsonOf(op, await handle(input, context)),
    );
    return markedReply(json, isReplayed);
  }

  async #carryOutGuarded(
    { op, handle }: BoundHandler,
    guard: ProviderGuard,
    message: Msg,
  ): Promise<Uint8Array> {
    if (!isPublic(op)) throw new Error(`${op.name} has no route`);
    const { context, input } = readCall(message);
    const params = op.params && instantiate(op.params, input.params ?? {});
    const request = { op, params, raw: Buffer.from(message.data), context: context as ProviderContext };
    const guarded = new GuardedHandler(guard, handle);
    return Buffer.from(jsonOf(op, await guarded.run(request)));
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
function isReadable(message: Msg): boolean {
  try {
    void message.headers;
    return true;
  } catch {
    return false;
  }
}

/** Undefined is an acknowledgement without a body. */
function jsonOf({ reply: type }: Operation, reply: unknown): string {
  return type && reply !== undefined ? JSON.stringify(project(type, reply)) : '';
}

/** Restores classes and defaults of the parts, which the sender has validated. */
function readInput(op: Operation, wire: WireInput, message: Msg): Input {
  const parts = op as { params?: new () => object; query?: new () => object; body?: new () => object };
  return {
    params: parts.params && instantiate(parts.params, wire.params ?? {}),
    query: parts.query && instantiate(parts.query, wire.query ?? {}),
    body: parts.body && instantiate(parts.body, readBody(op, message)),
  } as Input;
}

/** The gateway counts a body before it parses it; so does the service, whoever sent it. */
function readBody(op: Operation, message: Msg): object {
  if (message.data.length === 0) return {};
  if (isPublic(op)) assertStructure(message.data, op.structuralCharactersMax);
  return message.json<object>();
}
