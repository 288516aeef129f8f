import { Injectable, Logger } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { Histogram } from 'prom-client';
import type { Exchange } from './exchange.js';

const duration = new Histogram({
  name: 'vaultsvc_http_request_duration_seconds',
  help: 'Time from the head of a request to its answer, by operation and status.',
  labelNames: ['operation', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Logs one line per request. It names the route's template, never path, query or body: those hold secrets (MISC-03). */
@Injectable()
export class RequestLogger {
  readonly #logger = new Logger('http');

  /** Logs a request whose response is sent, and measures its duration. */
  logResponse(exchange: Exchange, status: number, error?: AppError): void {
    const { operation, elapsedMs } = exchange;
    duration.observe({ operation: operation?.name ?? 'none', status: String(status) }, elapsedMs / 1_000);
    endTrace(exchange, status, error);
    const line = { ...lineOf(exchange), status, ...(error && { code: error.code, reason: error.reason }) };
    if (status >= 500) return this.#logger.error({ ...line, err: error?.cause ?? error });
    this.#logger.log(line);
  }

  /** Logs a stream that ended early: the caller closed the connection, or a later part failed. */
  logCutStream(exchange: Exchange, error: unknown): void {
    endTrace(exchange, null, error);
    this.#logger.warn({ ...lineOf(exchange), msg: 'the stream was cut', err: error });
  }

  /** Logs a request whose caller closed the connection before a response. */
  logDisconnect(exchange: Exchange): void {
    endTrace(exchange, null);
    this.#logger.log({ ...lineOf(exchange), msg: 'the caller closed the connection' });
  }
}

function lineOf(exchange: Exchange): object {
  return exchange.logLine(routeOf(exchange), exchange.record?.accountId ?? null);
}

function routeOf({ operation, page }: Exchange): string | null {
  return operation?.http.path ?? page ?? null;
}

function endTrace(exchange: Exchange, status: number | null, error?: unknown): void {
  exchange.endTrace(exchange.operation?.name ?? 'none', routeOf(exchange), status, error);
}
