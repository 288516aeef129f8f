import { describe, expect, it } from '@jest/globals';
import { chiSquareTail, uniformity } from './chi-square.js';

/** For an even number of degrees of freedom the tail is a finite sum: exp(-x/2) · Σ (x/2)^i / i!. */
function exactTail(statistic: number, freedom: number): number {
  let term = Math.exp(-statistic / 2);
  let sum = term;
  for (let i = 1; i < freedom / 2; i += 1) {
    term *= statistic / 2 / i;
    sum += term;
  }
  return sum;
}

describe('chiSquareTail', () => {
  it.each([2, 4, 10, 16, 36, 62, 88, 254])('is the exact sum for %i degrees of freedom', (freedom) => {
    for (const share of [0.01, 0.3, 0.7, 0.9, 1, 1.1, 1.5, 2, 3]) {
      const exact = exactTail(freedom * share, freedom);
      expect(Math.abs(chiSquareTail(freedom * share, freedom) - exact)).toBeLessThan(1e-12);
    }
  });

  it.each([
    [3.841458820694124, 1, 0.05],
    [10.827566170662733, 1, 0.001],
    [7.814727903251179, 3, 0.05],
    [16.918977604620448, 9, 0.05],
    [24.995790139728616, 15, 0.05],
    [330.51974363, 255, 0.001],
  ])('above %f with %i degrees of freedom is %f, as the tables say', (statistic, freedom, tail) => {
    expect(chiSquareTail(statistic, freedom)).toBeCloseTo(tail, 8);
  });

  it('is 1 at zero and close to 0 far out', () => {
    expect(chiSquareTail(0, 87)).toBe(1);
    expect(chiSquareTail(2_000, 87)).toBeLessThan(1e-100);
  });
});

describe('uniformity', () => {
  it('is the p-value of Pearson: counts of 43 and 57 have 0.16', () => {
    expect(uniformity([43, 57])).toBeCloseTo(0.1615, 4);
    expect(uniformity([5, 5, 5])).toBe(1);
  });
});
