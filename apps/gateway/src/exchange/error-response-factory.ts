import { Injectable } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { apiInfoOf, errorResponse, toAppError, type ApiInfo, type RawHeaders } from '@vaultsvc/http';
import { RateLimitExceeded, retryAfterSeconds, type FixedWindow } from '@vaultsvc/limits';
import { needsCredential } from '../access/assert-access.js';
import { GatewayConfig } from '../config.js';
import type { Exchange } from './exchange.js';

export interface ErrorResponse {
  readonly error: AppError;
  /** Content headers and `Retry-After`. */
  readonly headers: RawHeaders;
  readonly body: Buffer;
  /** The window of the rate limit headers: the one that refused the call, else the one that it was counted in. */
  readonly window: FixedWindow | undefined;
}

/** Makes the error responses of all origins. */
@Injectable()
export class ErrorResponseFactory {
  readonly #api: ApiInfo;

  constructor(config: GatewayConfig) {
    this.#api = apiInfoOf(config);
  }

  /** The response to a thrown error. */
  create(exchange: Exchange, thrown: unknown): ErrorResponse {
    const error = toAppError(thrown);
    const { requestId, window } = exchange;
    const isTokenRefused = error.status === 401 && hasRefusedToken(exchange);
    const toSend = { error, requestId, retryAfterSeconds: retryAfterSeconds(error), isTokenRefused };
    return {
      error,
      ...errorResponse(toSend, this.#api),
      window: error instanceof RateLimitExceeded ? error.window : window,
    };
  }
}

const BEARER = /^bearer(?: |$)/i;

/**
 * Whether a 401 is about the request's access token: the operation reads one, the request has one without an API key, which has
 * precedence (AMB-44), and authentication did not succeed.
 */
function hasRefusedToken({ operation, record, request: { headers } }: Exchange): boolean {
  const readsToken = !operation || needsCredential(operation) || operation.access.credential === 'optional';
  const hasToken = BEARER.test(headers.authorization ?? '') && headers['x-api-key'] === undefined;
  return readsToken && hasToken && record === null;
}
