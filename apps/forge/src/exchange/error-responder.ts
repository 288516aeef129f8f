import { Injectable, NotFoundException } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import {
  apiInfoOf,
  ConnectionClosed,
  errorResponse,
  requestTarget,
  sendResponse,
  toAppError,
  type ApiInfo,
} from '@vaultsvc/http';
import { retryAfterSeconds } from '@vaultsvc/limits';
import { ForgeConfig } from '../config.js';
import { methodsOf } from './declared-methods.js';
import type { ForgeExchange } from './forge-exchange.js';
import { BruteForceLimiter } from './brute-force-limiter.js';
import { RequestLogger } from './request-logger.js';

/** Sends every error response. Successes have no envelope, and the controllers send them (OPEN-14). */
@Injectable()
export class ErrorResponder {
  readonly #api: ApiInfo;

  constructor(
    config: ForgeConfig,
    private readonly log: RequestLogger,
    private readonly bruteForce: BruteForceLimiter,
  ) {
    this.#api = apiInfoOf(config);
  }

  sendError(exchange: ForgeExchange, thrown: unknown): void {
    const { response } = exchange;
    if (thrown instanceof ConnectionClosed) return void response.destroy();
    const error = refusalOf(exchange, thrown);
    // A started response cannot be replaced. The caller notices the cut, because the length was announced.
    if (response.headersSent) {
      this.log.logError(exchange, error);
      return void response.destroy();
    }
    if (!this.bruteForce.isLimited(error)) return this.#send(exchange, error);
    this.bruteForce.limit(error, exchange.caller.ip).then(
      (limited) => this.#send(exchange, limited),
      (failure: unknown) => this.#send(exchange, toAppError(failure)),
    );
  }

  #send(exchange: ForgeExchange, error: AppError): void {
    const { request, response, requestId } = exchange;
    this.log.logError(exchange, error);
    const toSend = { error, requestId, retryAfterSeconds: retryAfterSeconds(error) };
    const { headers, body } = errorResponse(toSend, this.#api);
    sendResponse(request, response, error.status, headers, request.method === 'HEAD' ? undefined : body);
  }
}

/** METHOD_NOT_FOUND where the path has another method than the request; Express has no route for either. */
function refusalOf({ request }: ForgeExchange, thrown: unknown): AppError {
  const methods = thrown instanceof NotFoundException ? methodsOf(requestTarget(request.url ?? '').path) : [];
  return methods.length > 0 ? new AppError('METHOD_NOT_FOUND', { methods }) : toAppError(thrown);
}
