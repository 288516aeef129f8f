import type { Meta } from '@vaultsvc/http';
import type { PoolRecord, PoolSnapshot, FixedWindow } from '@vaultsvc/limits';
import type { Exchange } from '../server/exchange.js';

/** `meta` of a success: quota for whoever is authenticated, pools where the operation draws on them (ENV-09, ENV-10). */
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

/** The snapshot before the call (OPEN-58). */
export function poolsOf({ storage, bandwidth, identity }: PoolSnapshot): object {
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
