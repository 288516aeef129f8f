import { describe, expect, it } from '@jest/globals';
import { jestTotals } from './jest-totals.ts';

const results = (counts: object) => JSON.stringify({ numPassedTests: 3, numFailedTests: 0, ...counts });

describe('The totals of a run', () => {
  it('are those of Jest when all is well', () => {
    expect(jestTotals(results({}), 0)).toEqual({ passed: 3, failed: 0 });
  });

  it('count a spec file that could not be loaded as failed', () => {
    expect(jestTotals(results({ numRuntimeErrorTestSuites: 1 }), 1)).toEqual({ passed: 3, failed: 1 });
  });

  it('count a skipped test as failed', () => {
    expect(jestTotals(results({ numPendingTests: 2 }), 0)).toEqual({ passed: 3, failed: 2 });
  });

  it('leave out the tests that were not chosen', () => {
    expect(jestTotals(results({ numPendingTests: 2 }), 0, true)).toEqual({ passed: 3, failed: 0 });
  });

  it('fail when Jest fails after its last test, ends without results, or runs nothing', () => {
    expect(jestTotals(results({}), 1).failed).toBe(1);
    expect(jestTotals(undefined, 1).failed).toBe(1);
    expect(jestTotals(results({ numPassedTests: 0 }), 0).failed).toBe(1);
  });
});
