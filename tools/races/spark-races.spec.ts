import { describe, expect, it } from '@jest/globals';
import { isClean, runRaces, summaryOf } from './spark-races.js';

describe('SPK-27 SPK-30 SPK-31 SPK-32 MISC-08 AMB-52: concurrent reads of a Spark, while instances are killed and paused and locks expire', () => {
  it('reveal the content of none of 500 Sparks twice', async () => {
    const report = await runRaces({ count: 500 });
    if (!isClean(report)) throw new Error(summaryOf(report));
    expect(report).toMatchObject({ races: 500, doubleReveals: 0, doubleBurns: 0, wrongContents: 0 });
    expect(report.refusals.SPARK_BURNED).toBeGreaterThan(0);
    expect(report.refusals.SPARK_READ_IN_FLIGHT).toBeGreaterThan(0);
  }, 300_000);
});
