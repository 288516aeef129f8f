import { describe, expect, it } from '@jest/globals';
import { openers } from './link-races.js';
import { isClean, runRaces, summaryOf } from './spark-races.js';

describe('LNK-14 LNK-16 MISC-08: three copies', () => {
  it('20 links with twenty openers each, each is revealed exactly once', async () => {
    const report = await runRaces({ contest: openers, count: 20, isUndisturbed: true });
    if (!isClean(report)) throw new Error(summaryOf(report));
    expect(report).toMatchObject({ revealed: 20, recovered: 0, lost: 0 });
    expect(Object.keys(report.refusals).sort()).toEqual(['LINK_BEING_OPENED', 'LINK_CONSUMED']);
  }, 300_000);
});

describe('LNK-14 LNK-16 MISC-08: three copies, killed, paused and overtaken', () => {
  it('30 links with twenty openers each, no content leaves twice, and no link parts from its Spark', async () => {
    const report = await runRaces({ contest: openers, count: 30 });
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
