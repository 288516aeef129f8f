import type { Meta, RawHeaders } from '@vaultsvc/http';
import type { FixedWindow, PoolRecord, PoolSnapshot } from '@vaultsvc/limits';
import type { Exchange } from '../server/exchange.js';

/** `meta` of a success: `quota` for an authenticated caller, `pools` for a billable operation (ENV-09, ENV-10). */
export function metaOf(
  { requestId, elapsedMs, operation, record, window, poolSnapshot }: Exchange,
  apiVersion: string,
): Meta {
  return {
    api_version: apiVersion,
    request_id: requestId,
    response_ms: elapsedMs,
    timestamp: Math.floor(Date.now() / 1_000),
    ...(operation?.billable && poolSnapshot && { pools: poolsOf(poolSnapshot) }),
    ...(record && window && { quota: quotaOf(window) }),
  };
}

function quotaOf({ limit, used, resetsAt }: FixedWindow): object {
  return { limit, used, remaining: Math.max(0, limit - used), resets_at: resetsAt };
}

/** The pools before the call (OPEN-58). */
function poolsOf({ storage, bandwidth, identity }: PoolSnapshot): object {
  return {
    storage: poolOf(storage),
    bandwidth: { ...poolOf(bandwidth), cycle_resets_at: bandwidth.cycle_resets_at },
    identity: poolOf(identity),
  };
}

function poolOf({ used, limit }: PoolRecord): object {
  const pct = limit > 0 ? used / limit : 1;
  return { used, limit, pct, state: stateOf(pct) };
}

/** OPEN-03. */
function stateOf(pct: number): 'ok' | 'notice' | 'warning' | 'exhausted' {
  if (pct >= 1) return 'exhausted';
  if (pct >= 0.9) return 'warning';
  return pct >= 0.75 ? 'notice' : 'ok';
}

const NO_HEADERS: RawHeaders = [];
const WINDOW_SECONDS = 60;

/** The headers of draft-ietf-httpapi-ratelimit-headers; the partition is the account, else the caller's address. */
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
