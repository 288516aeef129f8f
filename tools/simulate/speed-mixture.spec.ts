import { describe, expect, it } from '@jest/globals';
import { percentilesOf } from './speed-mixture.ts';

describe('The times of a machine whose speed varies', () => {
  it('are those of one that is always the same where it does not', () => {
    const times = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentilesOf(times, 0)).toEqual({ p50: 51, p99: 100 });
  });

  it('have more requests in fast phases, and the same number of them per second', () => {
    // Nine phases are e ** (0.5 z) slow and have e ** (-0.5 z) requests: 2.22, 1.62 and 1.34 of 10.01 make the first half.
    const { p50, p99 } = percentilesOf([1], 0.5);
    expect(p50).toBeCloseTo(0.829, 2);
    expect(p99).toBeCloseTo(2.467, 2);
  });
});
