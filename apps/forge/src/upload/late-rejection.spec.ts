import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { activateVersion, type VersionActivation } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import { rowsOf } from '@vaultsvc/testing/harness';
import { startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import { mintTransfer, type MintedTransfer } from '../testing/transfers.js';
import { newUpload, sendChunk } from '../testing/uploads.js';
import { UploadTimeouts } from './upload-timeouts.js';

let answer: () => Promise<VersionActivation>;

/** A fake of vaults, which answers as the test sets it. */
@Controller()
class Activate {
  @Handles(activateVersion)
  async handle(_: Input<typeof activateVersion>, _context: CallContext): Promise<VersionActivation> {
    return answer();
  }
}

@Module({ controllers: [Activate] })
class VaultsModule {}

const vaults = defineService({ name: 'vaults', config: ServiceConfig, module: VaultsModule });
const content = Buffer.from('bytes');

let downloads: DownloadFixture;
beforeAll(async () => {
  downloads = await startDownloadFixture();
  downloads.service.context.get(UploadTimeouts).activationTimeoutMs = 20_000; // a busy machine may delay the answer
  await downloads.harness.start(vaults);
});
afterAll(() => downloads.harness.stop());

/** Uploads a content; vaults runs `beforeAnswer`, and answers that the version is not the content. */
async function finish(beforeAnswer: (of: MintedTransfer) => Promise<void>): Promise<MintedTransfer> {
  const { harness, url } = downloads;
  const transfer = await mintTransfer(harness, { sizeBytes: content.length });
  answer = async () => {
    await beforeAnswer(transfer);
    return { is_active: false };
  };
  const location = await newUpload(url, transfer.istk, content.length);
  expect((await sendChunk(url, location, 0, content)).status).toBe(204);
  return transfer;
}

const statusOf = async ({ versionId }: MintedTransfer) => {
  const rows = await rowsOf(downloads.service, `SELECT status FROM uploads WHERE version_id = $1`, [
    versionId,
  ]);
  return rows[0]?.['status'];
};

describe('a late answer of vaults that a version is not the content', () => {
  it('keeps the content for an ISTK that was minted before', async () => {
    let download: MintedTransfer | undefined;
    const transfer = await finish(async (of) => void (download = await downloads.mint(of)));
    expect(await statusOf(transfer)).toBe('replaced');
    const response = await downloads.get(download?.istk ?? '');
    expect([response.status, await response.text()]).toEqual([200, 'bytes']);
  });

  it('drops a version without downloads at once', async () => {
    const transfer = await finish(() => Promise.resolve());
    expect(await statusOf(transfer)).toBe('dropped');
  });
});
