import { describe, expect, it } from '@jest/globals';
import { isCleanUpload, runUploadRaces, summaryOfUploads } from './upload-races.js';

describe('FRG-10 FRG-15 FRG-25 FRG-34 ING-08 ING-33 ING-40 VLT-25: uploads while Forge, vaults, PostgreSQL and NATS are killed repeatedly', () => {
  it('lose no acknowledged chunk, serve no deleted content, and leave all figures of storage equal to the byte', async () => {
    const report = await runUploadRaces({ count: 10 });
    if (!isCleanUpload(report)) throw new Error(summaryOfUploads(report));
    expect(report).toMatchObject({
      uploads: 10,
      lostChunks: 0,
      lostUploads: 0,
      wrongContents: 0,
      stillUsable: [],
    });
    expect(Object.keys(report.kills)).not.toEqual([]);
  }, 600_000);
});
