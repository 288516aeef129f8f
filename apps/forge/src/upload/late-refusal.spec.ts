import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
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

/** Stands where vaults stands, and answers what a test tells it to. */
@Injectable()
class Activate {
  @Handles(activateVersion)
  async handle(_: Input<typeof activateVersion>, _context: CallContext): Promise<VersionActivation> {
    return answer();
  }
}

@Module({ providers: [Activate] })
class VaultsModule {}

const vaults = defineService({ name: 'vaults', config: ServiceConfig, module: VaultsModule });
const content = Buffer.from('bytes');

let downloads: DownloadFixture;
beforeAll(async () => {
  downloads = await startDownloadFixture();
  downloads.service.context.get(UploadTimeouts).activationTimeoutMs = 20_000; // a busy machine may hold up the answer
  await downloads.harness.start(vaults);
});
afterAll(() => downloads.harness.stop());

/** Uploads, while vaults does this before it says that the version is not the content. */
async function finish(meanwhile: (of: MintedTransfer) => Promise<void>): Promise<MintedTransfer> {
  const { harness, url } = downloads;
  const transfer = await mintTransfer(harness, { sizeBytes: content.length });
  answer = async () => {
    await meanwhile(transfer);
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

describe('vaults says after the fact that a version is not the content', () => {
  it('a URL that was given out while it was the content still gives it', async () => {
    let given: MintedTransfer | undefined;
    const transfer = await finish(async (of) => void (given = await downloads.mint(of)));
    expect(await statusOf(transfer)).toBe('replaced');
    const answered = await downloads.get(given?.istk ?? '');
    expect([answered.status, await answered.text()]).toEqual([200, 'bytes']);
  });

  it('one that nobody was given a URL for is dropped at once', async () => {
    const transfer = await finish(() => Promise.resolve());
    expect(await statusOf(transfer)).toBe('dropped');
  });
});
