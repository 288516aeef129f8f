import { Injectable } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { errorResponse, toAppError, type RawHeaders } from '@vaultsvc/http';
import { RateLimitExceeded, retryAfterSeconds, type FixedWindow } from '@vaultsvc/limits';
import { GatewayConfig } from '../config.js';
import type { Exchange } from '../server/exchange.js';

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
  constructor(private readonly config: GatewayConfig) {}

  /** The response to a thrown error. */
  create({ requestId, window }: Exchange, thrown: unknown): ErrorResponse {
    const error = toAppError(thrown);
    return {
      error,
      ...errorResponse(error, this.config.BUILD_VERSION, requestId, retryAfterSeconds(error)),
      window: error instanceof RateLimitExceeded ? error.window : window,
    };
  }
}
