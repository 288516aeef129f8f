import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fenceNow, outboxEvents, stopSchedule } from '@vaultsvc/testing/harness';
import { ExpireUploads } from './cleanup/expire-uploads.job.js';
import { restoreFence } from './restore-fence-steps.js';
import { startDownloadFixture, type DownloadFixture } from './testing/download-fixture.js';
import { mintDownload, mintTransfer, type MintedTransfer } from './testing/transfers.js';

let downloads: DownloadFixture;
beforeAll(async () => {
  downloads = await startDownloadFixture();
  await stopSchedule(downloads.service);
});
afterAll(() => downloads.harness.stop());

const usable = async ({ lookup }: MintedTransfer) =>
  (
    await downloads.sql(
      `SELECT 1 FROM istks WHERE lookup = $1 AND wrapped_key IS NOT NULL AND revoked_at IS NULL AND expires_at > now()`,
      [lookup],
    )
  ).length === 1;

describe('FRG-25 MISC-03: the restore fence of forge', () => {
  it('voids every ISTK of the restored state, which may have been used since', async () => {
    const upload = await mintTransfer(downloads.harness);
    const [once, stream] = [
      await mintDownload(downloads.harness, upload),
      await mintDownload(downloads.harness, upload, { mode: 'stream' }),
    ];
    for (const istk of [upload, once, stream]) expect(await usable(istk)).toBe(true);
    const { counts } = await fenceNow(downloads.harness, restoreFence);
    expect(counts).toEqual({ 'unused upload ISTKs expired': 1, 'download ISTKs revoked': 2 });
    for (const istk of [upload, once, stream]) expect(await usable(istk)).toBe(false);
    const later = await mintDownload(downloads.harness, upload);
    expect(await usable(later)).toBe(true);
  });

  it('has the job publish the end of unused uploads, so that vaults releases their storage', async () => {
    const upload = await mintTransfer(downloads.harness);
    await fenceNow(downloads.harness, restoreFence);
    await downloads.service.context.get(ExpireUploads).run();
    const events = await outboxEvents(
      downloads.service,
      { version_id: upload.versionId },
      { columns: ['name'] },
    );
    expect(events).toEqual([{ name: 'forge.upload-ended' }]);
  });
});
