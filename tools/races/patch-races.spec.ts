import { describe, expect, it } from '@jest/globals';
import { isCleanPatches, runPatchRaces, summaryOfPatches, type PatchRaceOptions } from './patch-races.js';

async function runCleanly(options: PatchRaceOptions) {
  const report = await runPatchRaces(options);
  if (!isCleanPatches(report)) throw new Error(summaryOfPatches(report));
  return report;
}

describe('STR-15 STR-16: twenty concurrent PATCHes of a structured ingot, over three instances', () => {
  it('raise the version by exactly the answers of 200 and lose no update', async () => {
    const report = await runCleanly({ count: 5, mode: 'undisturbed' });
    expect(report).toMatchObject({ versionIncrease: report.won, lost: 0, lostUpdates: 0, phantomWrites: 0 });
    expect(report.won + report.conflicts + report.busy).toBe(100);
    expect(report.won).toBeGreaterThanOrEqual(5); // the first call of each round
    expect(report.conflicts).toBeGreaterThan(0);
  }, 240_000);

  it('STR-06 leave no value under a deleted key when one of them overwrites the ingot', async () => {
    const report = await runCleanly({ count: 5, mode: 'overwritten' });
    expect(report).toMatchObject({ overwritten: 5, lost: 0, lostUpdates: 0, phantomWrites: 0 });
  }, 240_000);
});

describe('STR-15 STR-16: twenty concurrent PATCHes of a structured ingot, while instances are killed and paused', () => {
  it('commit each answered change, and no change that was refused with a conflict', async () => {
    const report = await runCleanly({ count: 5, mode: 'faults' });
    expect(report.versionIncrease).toBeGreaterThanOrEqual(report.won);
    expect(report.versionIncrease).toBeLessThanOrEqual(report.won + report.lost);
  }, 240_000);
});
