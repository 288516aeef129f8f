import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apportion } from './apportion.js';

describe('OPEN-31: rounding', () => {
  it.each([
    ['gives the missing unit to the largest fraction', [33n, 33n, 34n], [0, 0, 1], 1],
    ['gives it to the earlier of two equals', [50n, 50n], [1, 0], 1],
    ['rounds half up', [150n], [2], 2],
    ['rounds half up below zero too', [-150n], [-1], -1],
    ['keeps whole units', [700n, -200n], [7, -2], 5],
  ])('%s', (_, numerators, amounts, total) => {
    expect(apportion(numerators, 100n, 0)).toMatchObject({ amounts, total });
  });

  it('carries what it leaves over: a hundred times a third of a unit is 33 units', () => {
    let [carry, sum] = [0, 0];
    for (let i = 0; i < 100; i += 1) {
      const { total, carry: left } = apportion([1n], 3n, carry);
      [carry, sum] = [left, sum + total];
    }
    expect([sum, carry]).toEqual([33, 1]);
  });

  it('has parts that add up to the total and differ from their exact amounts by less than one unit', () => {
    const parts = fc.array(fc.bigInt(-(10n ** 15n), 10n ** 15n), { maxLength: 8 });
    fc.assert(
      fc.property(
        parts,
        fc.integer({ min: 1, max: 2_592_000 }),
        fc.integer(),
        (numerators, denominator, any) => {
          const half = Math.ceil(denominator / 2);
          const carry = denominator === 1 ? 0 : (Math.abs(any) % half) * Math.sign(any);
          const { amounts, total, carry: left } = apportion(numerators, BigInt(denominator), carry);
          expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(total);
          for (const [index, amount] of amounts.entries()) {
            const off = BigInt(amount) * BigInt(denominator) - (numerators[index] as bigint);
            expect(Number(off)).toBeLessThan(denominator);
            expect(Number(off)).toBeGreaterThan(-denominator);
          }
          expect(2 * left).toBeGreaterThanOrEqual(-denominator);
          expect(2 * left).toBeLessThan(denominator);
        },
      ),
      { seed: 31, numRuns: 2_000 },
    );
  });
});
