import { describe, expect, it } from '@jest/globals';
import { openers } from './link-races.js';
import { isClean, runRaces, summaryOf } from './spark-races.js';

describe('LNK-14 LNK-16 MISC-08: three copies, killed, paused and overtaken', () => {
  it('100 links with twenty openers each, no content leaves twice, and no link parts from its Spark', async () => {
    const report = await runRaces({ contest: openers, count: 100 });
    if (!isClean(report)) throw new Error(summaryOf(report));
    expect(report).toMatchObject({ races: 100, doubleReveals: 0, doubleBurns: 0, torn: 0, wrongContents: 0 });
    expect(report.refusals.LINK_CONSUMED).toBeGreaterThan(0);
    expect(report.refusals.LINK_BEING_OPENED).toBeGreaterThan(0);
  }, 120_000);
});
