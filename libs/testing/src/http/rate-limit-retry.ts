import { setTimeout } from 'node:timers/promises';
import type { ApiResponse } from './api-response.js';

/** The lowest rate limit of test platforms, in operations per minute. No test reaches it. */
export const UNREACHED_LIMIT = 100_000;

/** Settings of a gateway whose rate limits no test reaches. */
export const withoutLimits = {
  RATE_LIMIT_PER_MINUTE: String(UNREACHED_LIMIT),
  RATE_LIMIT_PER_IP_PER_MINUTE: String(UNREACHED_LIMIT),
};

const ATTEMPTS_MAX = 5;
/** The Retry-After of a limiter that cannot count (OPEN-53). */
const UNCOUNTED_WAIT_SECONDS = 1;

/**
 * Retries a request that a limit of test platforms refused: the limiter could not count it, because Redis missed its timeout
 * on a busy machine (ENV-36). The limiter refuses before anything else happens, so no request is executed twice.
 */
export function retryUncounted(sendOnce: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return retryWhile(sendOnce, isUncounted, ({ headers }) => Number(headers['retry-after']));
}

/** The same for requests that a spec sends itself to a platform without effective limits; `isRefused` recognises a 429. */
export function retryRateLimited<T>(
  sendOnce: () => Promise<T>,
  isRefused: (response: T) => boolean,
): Promise<T> {
  return retryWhile(sendOnce, isRefused, () => UNCOUNTED_WAIT_SECONDS);
}

async function retryWhile<T>(
  sendOnce: () => Promise<T>,
  isRefused: (response: T) => boolean,
  secondsToWait: (response: T) => number,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await sendOnce();
    if (attempt === ATTEMPTS_MAX || !isRefused(response)) return response;
    await setTimeout(secondsToWait(response) * 1_000);
  }
}

function isUncounted({ error }: ApiResponse): boolean {
  const { limit = 0 } = (error?.details ?? {}) as { limit?: number };
  return error?.code === 'RATE_LIMIT_EXCEEDED' && limit >= UNREACHED_LIMIT;
}
