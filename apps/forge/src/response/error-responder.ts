import { Injectable } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { ConnectionClosed, errorResponse, sendResponse, toAppError } from '@vaultsvc/http';
import { retryAfterSeconds } from '@vaultsvc/limits';
import { ForgeConfig } from '../config.js';
import type { Exchange } from '../server/exchange.js';
import { BruteForceLimiter } from './brute-force-limiter.js';
import { RequestLogger } from './request-logger.js';

/** Sends every error response. Successes have no envelope, and the controllers send them (OPEN-14). */
@Injectable()
export class ErrorResponder {
  constructor(
    private readonly config: ForgeConfig,
    private readonly log: RequestLogger,
    private readonly bruteForce: BruteForceLimiter,
  ) {}

  sendError(exchange: Exchange, thrown: unknown): void {
    const { response } = exchange;
    if (thrown instanceof ConnectionClosed) return void response.destroy();
    const error = toAppError(thrown);
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

  #send(exchange: Exchange, error: AppError): void {
    const { request, response, requestId } = exchange;
    this.log.logError(exchange, error);
    const { BUILD_VERSION: version } = this.config;
    const { headers, body } = errorResponse(error, version, requestId, retryAfterSeconds(error));
    sendResponse(request, response, error.status, headers, request.method === 'HEAD' ? undefined : body);
  }
}
