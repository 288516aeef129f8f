import type { Headers } from '@vaultsvc/http';
import type { FixedWindow } from '@vaultsvc/limits';

const NONE: Headers = [];
const WINDOW_SECONDS = 60;

/** The fields of draft-ietf-httpapi-ratelimit-headers; the partition is the account, else the caller's address. */
export function rateLimitHeaders(window: FixedWindow | undefined): Headers {
  if (!window) return NONE;
  const { of, limit, used, resetsAt, now } = window;
  return [
    'RateLimit-Policy',
    `"${of}";q=${limit};w=${WINDOW_SECONDS}`,
    'RateLimit',
    `"${of}";r=${Math.max(0, limit - used)};t=${Math.max(0, resetsAt - now)}`,
  ];
}
