import type { IncomingMessage, ServerResponse } from 'node:http';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { newId } from '@vaultsvc/crypto/encoding';
import { runInScope, traceRequest, type RequestTrace } from '@vaultsvc/telemetry';
import type { Caller } from './client-address.js';

/** One request with its response. Services extend it by what they learn of the request. */
export class HttpExchange {
  readonly requestId = newRequestId();
  /** The running span, as W3C `traceparent`; undefined while traces are off. */
  readonly trace: string | undefined;
  readonly #trace: RequestTrace | undefined;
  readonly #startMs = performance.now();

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly caller: Caller,
  ) {
    this.#trace = traceRequest(request.headers['traceparent']);
    this.trace = this.#trace?.trace;
    if (this.trace !== undefined) response.setHeader('traceresponse', this.trace);
  }

  /**
   * Ends the span of the request, once.
   * @param name of the operation
   * @param route a template: paths and queries hold secrets (MISC-03)
   * @param status null for a caller that closed the connection
   */
  endTrace(name: string, route: string | null, status: number | null, error?: unknown): void {
    const span = this.#trace?.span;
    if (!span) return;
    span.name(name, {
      'http.request.method': this.request.method ?? '',
      'http.route': route ?? 'none',
      'http.response.status_code': status ?? 0,
      'vaultsvc.request_id': this.requestId,
    });
    span.end(status !== null && status >= 500 ? (error ?? new Error('5xx')) : undefined);
  }

  /** Milliseconds since the exchange was created, rounded. */
  get elapsedMs(): number {
    return Math.round(performance.now() - this.#startMs);
  }

  /** Runs the work of the request: every line that it logs names the request. */
  run<T>(work: () => T): T {
    return runInScope(this, work);
  }

  /** The fields of the request's log lines. `route` is a template: paths and queries hold secrets (MISC-03). */
  logLine(route: string | null, accountId: string | null): object {
    return {
      msg: 'request',
      method: this.request.method,
      route,
      durationMs: this.elapsedMs,
      accountId,
      requestId: this.requestId,
      client_request_id: clientRequestId(this.request),
    };
  }
}

/** Finds the exchange of a request in code that Nest calls, which receives the request only. */
export class ExchangeRegistry<E extends HttpExchange> {
  readonly #exchanges = new WeakMap<IncomingMessage, E>();

  add(exchange: E): void {
    this.#exchanges.set(exchange.request, exchange);
  }

  /** Throws for a request whose exchange was not added. */
  of(request: IncomingMessage): E {
    const exchange = this.#exchanges.get(request);
    if (!exchange) throw new Error('the request has no exchange');
    return exchange;
  }
}

/** Sends the errors of Nest's routes, and of Nest and Express themselves, in the envelope (TRAP 71). */
@Catch()
export class EnvelopeFilter<E extends HttpExchange> implements ExceptionFilter {
  constructor(
    private readonly exchanges: ExchangeRegistry<E>,
    private readonly responder: { sendError(exchange: E, thrown: unknown): void },
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.responder.sendError(this.exchanges.of(host.switchToHttp().getRequest<IncomingMessage>()), error);
  }
}

const CLIENT_REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A new id of this service's own, never the caller's, so that no two responses share one (ENV-07). */
export function newRequestId(): string {
  return newId('req_');
}

/** The caller's `X-Request-Id`, for the log only; undefined when it is absent or not 1 to 64 letters, digits, `_`, `-`. */
export function clientRequestId(request: IncomingMessage): string | undefined {
  const text = request.headers['x-request-id'];
  return typeof text === 'string' && CLIENT_REQUEST_ID.test(text) ? text : undefined;
}
