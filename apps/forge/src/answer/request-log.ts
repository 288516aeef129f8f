import { Injectable, Logger } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { clientRequestId } from '@vaultsvc/http';
import { Histogram } from 'prom-client';
import type { Exchange } from '../server/exchange.js';

const duration = new Histogram({
  name: 'vaultsvc_transfer_duration_seconds',
  help: 'Time from the head of a request to the end of its answer, by route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200],
});

/** One line per request. It names the route's template, never path or query: those hold secrets (MISC-03). */
@Injectable()
export class RequestLog {
  readonly #logger = new Logger('http');

  ended(exchange: Exchange): void {
    const { request, response, route, elapsedMs } = exchange;
    const status = response.headersSent ? response.statusCode : null;
    const labels = { method: request.method ?? '', route: route ?? 'none', status: String(status) };
    duration.observe(labels, elapsedMs / 1_000);
    this.#logger.log({ ...lineOf(exchange), status, isWhole: response.writableFinished });
  }

  /** Why it was refused. What a caller did is told by the line of its end; what we did wrong is an error. */
  refused(exchange: Exchange, { status, code, reason, cause, details }: AppError): void {
    const line = { ...lineOf(exchange), msg: 'refused', status, code, reason };
    if (status >= 500) return this.#logger.error({ ...line, err: cause });
    this.#logger.debug({ ...line, details });
  }
}

function lineOf({ request, sentMethod, route, accountId, requestId, elapsedMs }: Exchange): object {
  return {
    msg: 'request',
    method: request.method,
    ...(sentMethod !== request.method && { sentMethod }),
    route: route ?? null,
    durationMs: elapsedMs,
    accountId,
    requestId,
    client_request_id: clientRequestId(request),
  };
}
