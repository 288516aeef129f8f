import { describe, expect, it } from '@jest/globals';
import { runFileRaces } from './file-races.js';
import { summaryOfFiles } from './file-report.js';

describe('SDK-08 SDK-09 CLI-05 CLI-08 CLI-13 OPEN-22: transfers that are killed, whose disk is full, and whose files change', () => {
  it('end with wrong bytes never, change no file of the user, and lose no link to its opener', async () => {
    const report = await runFileRaces({ count: 1, seed: 31 });
    if (report.violations.length > 0) throw new Error(summaryOfFiles(report));
    expect(report.rounds).toBe(8);
    expect(Object.keys(report.ends)).toEqual(expect.arrayContaining(['0', 'killed']));
  }, 300_000);
});
