import { describe, expect, it } from '@jest/globals';
import { linkOpenings } from './link-races.js';
import { isClean, runRaces, summaryOf } from './spark-races.js';

describe('LNK-14 LNK-16 MISC-08: twenty concurrent openings of a link, over three instances', () => {
  it('reveal each of 20 links exactly once', async () => {
    const report = await runRaces({ resource: linkOpenings, count: 20, isUndisturbed: true });
    if (!isClean(report)) throw new Error(summaryOf(report));
    expect(report).toMatchObject({ revealed: 20, recovered: 0, lost: 0 });
    expect(Object.keys(report.refusals).sort()).toEqual(['LINK_BEING_OPENED', 'LINK_CONSUMED']);
  }, 300_000);
});

describe('LNK-14 LNK-16 MISC-08: twenty concurrent openings of a link, while instances are killed and paused and locks expire', () => {
  it('reveal none of 30 links twice, and consume a link exactly if its Spark is burned', async () => {
    const report = await runRaces({ resource: linkOpenings, count: 30 });
    if (!isClean(report)) throw new Error(summaryOf(report));
    expect(report).toMatchObject({
      races: 30,
      doubleReveals: 0,
      doubleBurns: 0,
      inconsistentLinks: 0,
      wrongContents: 0,
    });
    expect(report.refusals.LINK_CONSUMED).toBeGreaterThan(0);
    expect(report.refusals.LINK_BEING_OPENED).toBeGreaterThan(0);
  }, 300_000);
});
