import { Injectable } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { errorResponse, toAppError, type RawHeaders } from '@vaultsvc/http';
import { limiterUnavailable, RateLimitExceeded, RedisUnavailable, retryAfterSeconds } from '@vaultsvc/limits';
import { GatewayConfig } from '../config.js';
import type { Exchange } from '../server/exchange.js';

export interface ErrorResponse {
  readonly error: AppError;
  /** Content headers and `Retry-After`. */
  readonly headers: RawHeaders;
  readonly body: Buffer;
}

/** Makes the error responses of all origins. */
@Injectable()
export class ErrorResponseFactory {
  constructor(private readonly config: GatewayConfig) {}

  /**
   * The response to a thrown error. Sets the window of the exchange if the limiter refused the call: the authenticator threw
   * before it could, and the rate limit headers need it.
   */
  create(exchange: Exchange, thrown: unknown): ErrorResponse {
    const { RATE_LIMIT_PER_MINUTE: limit, BUILD_VERSION: version } = this.config;
    const error = thrown instanceof RedisUnavailable ? limiterUnavailable(limit) : toAppError(thrown);
    if (error instanceof RateLimitExceeded) exchange.window = error.window;
    return { error, ...errorResponse(error, version, exchange.requestId, retryAfterSeconds(error)) };
  }
}
