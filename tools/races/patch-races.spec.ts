import { describe, expect, it } from '@jest/globals';
import { isCleanPatches, runPatchRaces, summaryOfPatches, type PatchRaceOptions } from './patch-races.js';

async function clean(options: PatchRaceOptions) {
  const report = await runPatchRaces(options);
  if (!isCleanPatches(report)) throw new Error(summaryOfPatches(report));
  return report;
}

describe('STR-15 STR-16: three copies', () => {
  it('five rounds of twenty PATCHes, the version rises by exactly the answers of 200 and no update is lost', async () => {
    const report = await clean({ count: 5, mode: 'calm' });
    expect(report).toMatchObject({ versionIncrease: report.won, lost: 0, lostUpdates: 0, phantomWrites: 0 });
    expect(report.won + report.overtaken + report.busy).toBe(100);
    expect(report.won).toBeGreaterThanOrEqual(5); // whoever is first in a round
    expect(report.overtaken).toBeGreaterThan(0);
  }, 240_000);

  it('STR-06 five rounds in which one of the twenty overwrites the ingot, nothing is left under a dead key', async () => {
    const report = await clean({ count: 5, mode: 'overwritten' });
    expect(report).toMatchObject({ overwritten: 5, lost: 0, lostUpdates: 0, phantomWrites: 0 });
  }, 240_000);
});

describe('STR-15 STR-16: three copies, killed and paused', () => {
  it('five rounds of twenty PATCHes, what was answered happened and what was overtaken did not', async () => {
    const report = await clean({ count: 5, mode: 'killed' });
    expect(report.versionIncrease).toBeGreaterThanOrEqual(report.won);
    expect(report.versionIncrease).toBeLessThanOrEqual(report.won + report.lost);
  }, 240_000);
});
