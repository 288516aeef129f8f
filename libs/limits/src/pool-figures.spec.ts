import { describe, expect, it } from '@jest/globals';
import { poolFigures } from './pool-figures.js';

const unused = { used: 0, limit: 10 };
const snapshot = { version: 1, plan: 'active' as const, storage: unused, identity: unused };
const figuresOf = (used: number, limit: number) => {
  const bandwidth = { used, limit, cycle_resets_at: 1_790_000_000 };
  return poolFigures({ ...snapshot, bandwidth }).bandwidth;
};

describe('ENV-11 OPEN-03: the figures of a pool', () => {
  it.each([
    [0, 100, 0, 'ok'],
    [74, 100, 0.74, 'ok'],
    [75, 100, 0.75, 'notice'],
    [89, 100, 0.89, 'notice'],
    [90, 100, 0.9, 'warning'],
    [99, 100, 0.99, 'warning'],
    [100, 100, 1, 'exhausted'],
    [150, 100, 1.5, 'exhausted'],
    [1, 1, 1, 'exhausted'],
    [0, 1, 0, 'ok'],
    [0, 0, 1, 'exhausted'],
    [5, 0, 1, 'exhausted'],
  ])('%i of %i are the fraction %p, and %s', (used, limit, pct, state) => {
    expect(figuresOf(used, limit)).toEqual({ used, limit, pct, state, cycle_resets_at: 1_790_000_000 });
  });

  it('ENV-12 MISC-06: are of storage, bandwidth and identity; only bandwidth has cycle_resets_at', () => {
    expect(
      poolFigures({
        ...snapshot,
        storage: { used: 1, limit: 4 },
        bandwidth: { used: 9, limit: 10, cycle_resets_at: 1_790_000_000 },
        identity: { used: 3, limit: 4 },
      }),
    ).toEqual({
      storage: { used: 1, limit: 4, pct: 0.25, state: 'ok' },
      bandwidth: { used: 9, limit: 10, pct: 0.9, state: 'warning', cycle_resets_at: 1_790_000_000 },
      identity: { used: 3, limit: 4, pct: 0.75, state: 'notice' },
    });
  });
});
