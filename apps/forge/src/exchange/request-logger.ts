import { Injectable, Logger } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { Histogram } from 'prom-client';
import type { ForgeExchange } from './forge-exchange.js';

const duration = new Histogram({
  name: 'vaultsvc_transfer_duration_seconds',
  help: 'Time from the head of a request to the end of its response, by route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200],
});

/** Logs one line per request. It names the route's template, never path or query: those hold secrets (MISC-03). */
@Injectable()
export class RequestLogger {
  readonly #logger = new Logger('http');

  /** Logs the exchange when its response is sent, or when its connection closes earlier. */
  logOnClose(exchange: ForgeExchange): void {
    exchange.response.once('close', () => this.#logEnd(exchange));
  }

  /** Logs the reason of an error response: on level debug a fault of the caller, on level error a failure of the service. */
  logError(exchange: ForgeExchange, { status, code, reason, cause, details }: AppError): void {
    const line = { ...lineOf(exchange), msg: 'refused', status, code, reason };
    if (status >= 500) return this.#logger.error({ ...line, err: cause });
    this.#logger.debug({ ...line, details });
  }

  #logEnd(exchange: ForgeExchange): void {
    const { request, response, route, elapsedMs } = exchange;
    const status = response.headersSent ? response.statusCode : null;
    const labels = { method: request.method ?? '', route: route ?? 'none', status: String(status) };
    duration.observe(labels, elapsedMs / 1_000);
    exchange.endTrace(route ?? 'none', route ?? null, response.headersSent ? response.statusCode : null);
    this.#logger.log({ ...lineOf(exchange), status, isWhole: response.writableFinished });
  }
}

function lineOf(exchange: ForgeExchange): object {
  const { request, sentMethod, route, accountId } = exchange;
  return {
    ...exchange.logLine(route ?? null, accountId),
    ...(sentMethod !== request.method && { sentMethod }),
  };
}
