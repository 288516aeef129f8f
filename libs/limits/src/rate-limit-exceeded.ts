import { LimitReached, type AppError } from '@vaultsvc/contracts';
import { isOverLimit, type FixedWindow } from './fixed-window.js';

/** 429 RATE_LIMIT_EXCEEDED with the details of ENV-35. `window`: the one whose limit the call exceeded. */
export class RateLimitExceeded extends LimitReached {
  constructor(readonly window: FixedWindow) {
    const { limit, used, resetsAt } = window;
    super('RATE_LIMIT_EXCEEDED', { limit, used: Math.min(used, limit), resets_at: resetsAt });
  }
}

/** Throws RateLimitExceeded (429) for a call beyond the limit of its window. */
export function assertWithinLimit(window: FixedWindow): void {
  if (isOverLimit(window)) throw new RateLimitExceeded(window);
}

/**
 * The value of `Retry-After`, at least 1; undefined for errors other than 429 (ENV-44) and that of a request under way
 * (OPEN-67). The limiter's own windows are measured by the clock of Redis, all other limits by `resets_at` of the details. A
 * limiter that cannot count is asked again after one second (AMB-02, OPEN-53).
 */
export function retryAfterSeconds(error: AppError): number | undefined {
  if (error instanceof RateLimitExceeded) return Math.max(1, error.window.resetsAt - error.window.now);
  if (error.reason === 'IDEMPOTENCY_KEY_IN_USE' || error.reason === 'LIMITER_UNAVAILABLE') return 1;
  const resetsAt = error.code === 'RATE_LIMIT_EXCEEDED' ? error.details?.['resets_at'] : undefined;
  if (typeof resetsAt !== 'number') return undefined;
  return Math.max(1, Math.ceil(resetsAt - Date.now() / 1_000));
}
