import { describe, expect, it } from '@jest/globals';
import { runByteStrings, summaryOfBytes } from '../../../../tools/races/bytes/byte-races.js';
import { stack } from '../stack.js';

describe('a byte string through secrets set and get, send and read, upload and download', () => {
  it('CLI-12: comes back equal, or is refused', async () => {
    const { api_url, account } = stack();
    const report = await runByteStrings({ url: api_url, apiKey: account.api_key, count: 60, seed: 31 });
    if (report.changed.length > 0) throw new Error(summaryOfBytes(report));
    expect(report.strings).toBe(60);
    // Random strings of this seed are of both kinds.
    expect([report.equal > 60, report.refused > 0]).toEqual([true, true]);
  });
});
