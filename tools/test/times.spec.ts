import { describe, expect, it } from '@jest/globals';
import type { TestResult } from '@jest/test-result';
import { timeReport, timesOf } from './times.ts';

const result = (start: number, end: number, ...startAt: (number | null)[]) =>
  ({
    perfStats: { start, end },
    testResults: startAt.map((at) => ({ startAt: at })),
  }) as unknown as TestResult;

describe('The times of a spec file', () => {
  it('are parted by the start of its first test', () => {
    expect(timesOf(result(1_000, 9_000, 5_000, 4_000), 'a.spec.ts')).toEqual({
      ...{ path: 'a.spec.ts', startMs: 3_000, testMs: 5_000 },
    });
  });

  it('count wholly as its start if no test has started', () => {
    expect(timesOf(result(1_000, 3_000, null), 'a.spec.ts')).toMatchObject({ startMs: 2_000, testMs: 0 });
  });
});

describe('The report of times', () => {
  it('names the ten slowest files, slowest first, and the sums of all', () => {
    const files = Array.from({ length: 12 }, (_, i) => ({
      path: `${i}.spec.ts`,
      startMs: 500,
      testMs: i * 1_000,
    }));
    const lines = timeReport(files);
    expect(lines[0]).toBe('Spec files took 72.0 s: 6.0 s before their first tests, 66.0 s from then on.');
    expect(lines.slice(2).map((line) => line.split('  ').at(-1))).toEqual(
      Array.from({ length: 10 }, (_, i) => `${11 - i}.spec.ts`),
    );
  });
});
