import type { PoolRecord, PoolSnapshot } from './pool-snapshot-cache.js';

/** How much of a pool is used (OPEN-03): from 75 % `notice`, from 90 % `warning`, from 100 % `exhausted`. */
export type PoolState = 'ok' | 'notice' | 'warning' | 'exhausted';

/** A pool as callers see it (ENV-11). */
export interface PoolFigures extends PoolRecord {
  /** The used fraction of the limit, not a percentage; above 1 where more is used. */
  readonly pct: number;
  readonly state: PoolState;
}

/** The three pools as callers see them. */
export interface AccountPoolFigures {
  readonly storage: PoolFigures;
  /** `cycle_resets_at` in epoch seconds (ENV-12). */
  readonly bandwidth: PoolFigures & { readonly cycle_resets_at: number };
  readonly identity: PoolFigures;
}

/** The figures of a snapshot. A pool with the limit 0 is exhausted. */
export function poolFigures({ storage, bandwidth, identity }: PoolSnapshot): AccountPoolFigures {
  return {
    storage: figuresOf(storage),
    bandwidth: { ...figuresOf(bandwidth), cycle_resets_at: bandwidth.cycle_resets_at },
    identity: figuresOf(identity),
  };
}

function figuresOf({ used, limit }: PoolRecord): PoolFigures {
  const pct = limit > 0 ? used / limit : 1;
  return { used, limit, pct, state: stateOf(pct) };
}

function stateOf(pct: number): PoolState {
  if (pct >= 1) return 'exhausted';
  if (pct >= 0.9) return 'warning';
  return pct >= 0.75 ? 'notice' : 'ok';
}
