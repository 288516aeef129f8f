import type { Meta, RawHeaders } from '@vaultsvc/http';
import { poolFigures, type FixedWindow } from '@vaultsvc/limits';
import type { Exchange } from './exchange.js';

/** `meta` of a success: `quota` for an authenticated caller, the pools before the call for a billable operation (ENV-09, ENV-10, OPEN-58). */
export function metaOf(
  { requestId, elapsedMs, operation, record, window, poolSnapshot }: Exchange,
  apiVersion: string,
): Meta {
  return {
    api_version: apiVersion,
    request_id: requestId,
    response_ms: elapsedMs,
    timestamp: Math.floor(Date.now() / 1_000),
    ...(operation?.billable && poolSnapshot && { pools: poolFigures(poolSnapshot) }),
    ...(record && window && { quota: quotaOf(window) }),
  };
}

function quotaOf({ limit, used, resetsAt }: FixedWindow): object {
  return { limit, used, remaining: Math.max(0, limit - used), resets_at: resetsAt };
}

/** `X-Ignored` with the names that the contract does not declare (AMB-51), where a request has some. */
export function ignoredHeaders({ ignoredNames }: Exchange): RawHeaders {
  return ignoredNames === undefined ? NO_HEADERS : ['X-Ignored', ignoredNames];
}

const NO_HEADERS: RawHeaders = [];
const WINDOW_SECONDS = 60;

/** The headers of draft-ietf-httpapi-ratelimit-headers (ENV-32); the partition is the account, else the caller's address. */
export function rateLimitHeaders(window: FixedWindow | undefined): RawHeaders {
  if (!window) return NO_HEADERS;
  const { of, limit, used, resetsAt, now } = window;
  return [
    'RateLimit-Policy',
    `"${of}";q=${limit};w=${WINDOW_SECONDS}`,
    'RateLimit',
    `"${of}";r=${Math.max(0, limit - used)};t=${Math.max(0, resetsAt - now)}`,
  ];
}
