import { Injectable } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { appErrorOf, errorBody, JSON_CONTENT_TYPE, type Headers } from '@vaultsvc/http';
import { limiterUnavailable, RateLimitExceeded, RedisUnavailable, retryAfterSeconds } from '@vaultsvc/limits';
import { GatewayConfig } from '../config.js';
import type { Exchange } from '../server/exchange.js';

/** What a caller may learn of a failure, on whatever origin. */
export interface Refusal {
  readonly error: AppError;
  /** Of its content, and when to come again. */
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Makes the envelope of a failure. */
@Injectable()
export class Refusals {
  constructor(private readonly config: GatewayConfig) {}

  /** Leaves the limiter's window at the exchange where the limiter refused. */
  of(exchange: Exchange, thrown: unknown): Refusal {
    const { RATE_LIMIT_PER_MINUTE: limit, BUILD_VERSION: version } = this.config;
    const error = thrown instanceof RedisUnavailable ? limiterUnavailable(limit) : appErrorOf(thrown);
    if (error instanceof RateLimitExceeded) exchange.window = error.window;
    return {
      error,
      headers: ['Content-Type', JSON_CONTENT_TYPE, ...retryAfter(error)],
      body: errorBody(error, version, exchange.requestId),
    };
  }
}

function retryAfter(error: AppError): Headers {
  const seconds = retryAfterSeconds(error);
  return seconds === undefined ? [] : ['Retry-After', String(seconds)];
}
