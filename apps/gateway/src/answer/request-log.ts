import { Injectable, Logger } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { clientRequestId } from '@vaultsvc/http';
import { Histogram } from 'prom-client';
import type { Exchange } from '../server/exchange.js';

const duration = new Histogram({
  name: 'vaultsvc_http_request_duration_seconds',
  help: 'Time from the head of a request to its answer, by operation and status.',
  labelNames: ['operation', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** One line per request. It names the route's template, never path, query or body: those hold secrets (MISC-03). */
@Injectable()
export class RequestLog {
  readonly #logger = new Logger('http');

  answered(exchange: Exchange, status: number, error?: AppError): void {
    const { operation, elapsedMs } = exchange;
    duration.observe({ operation: operation?.name ?? 'none', status: String(status) }, elapsedMs / 1_000);
    const line = { ...lineOf(exchange), status, ...(error && { code: error.code, reason: error.reason }) };
    if (status >= 500) return this.#logger.error({ ...line, err: error?.cause ?? error });
    this.#logger.log(line);
  }

  abandoned(exchange: Exchange): void {
    this.#logger.log({ ...lineOf(exchange), msg: 'the caller went away' });
  }
}

function lineOf({ request, operation, page, record, requestId, elapsedMs }: Exchange): object {
  return {
    msg: 'request',
    method: request.method,
    route: operation?.http.path ?? page ?? null,
    durationMs: elapsedMs,
    accountId: record?.accountId ?? null,
    requestId,
    client_request_id: clientRequestId(request),
  };
}
