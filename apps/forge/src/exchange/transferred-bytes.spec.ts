import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { register } from 'prom-client';
import { startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import { mintTransfer } from '../testing/transfers.js';
import { newUpload, sendChunk } from '../testing/uploads.js';

let downloads: DownloadFixture;
beforeAll(async () => {
  downloads = await startDownloadFixture();
});
afterAll(() => downloads.harness.stop());

async function moved(direction: 'in' | 'out'): Promise<number> {
  const { values } = (await register.getSingleMetric('vaultsvc_transfer_bytes_total')?.get()) ?? {
    values: [],
  };
  return values.find(({ labels }) => labels['direction'] === direction)?.value ?? 0;
}

describe('vaultsvc_transfer_bytes_total', () => {
  it('counts each chunk once when concurrent requests upload it', async () => {
    const before = await moved('in');
    const { istk } = await mintTransfer(downloads.harness, { sizeBytes: 1_000 });
    const location = await newUpload(downloads.url, istk, 1_000);
    const send = () => sendChunk(downloads.url, location, 0, Buffer.alloc(1_000));
    await Promise.all([send(), send(), send()]);
    expect((await moved('in')) - before).toBe(1_000);
  });

  it('counts the bytes that downloads sent, and none of refused requests', async () => {
    const file = await downloads.store(Buffer.alloc(200_000));
    const before = await moved('out');
    const { istk } = await downloads.stream(file);
    await (await downloads.get(istk)).arrayBuffer();
    await (await downloads.get(istk, { Range: 'bytes=0-99' })).arrayBuffer();
    expect((await downloads.get(istk, { Range: 'bytes=900000-' })).status).toBe(416);
    await eventually(
      () => moved('out'),
      (bytes) => bytes === before + 200_100,
    );
  });
});
