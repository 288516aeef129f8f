import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@vaultsvc/service';
import { startPostgres, startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { freePort } from '../../../../tools/stack/servers/ports.ts';
import { startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import { mintTransfer } from '../testing/transfers.js';
import { newUpload, sendChunk, tus } from '../testing/uploads.js';
import { UploadTimeouts } from '../upload/upload-timeouts.js';

const content = Buffer.from('bytes');

let postgres: TestServer;
let redis: TestServer;
let downloads: DownloadFixture;
let service: RunningService;
let privateUrl: string;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const port = String(await freePort());
  downloads = await startDownloadFixture({
    DATABASE_URL: postgres.url,
    DATABASE_SCHEMA: 'public',
    REDIS_URL: redis.url,
    PRIVATE_PORT: port,
  });
  service = downloads.service;
  privateUrl = `http://127.0.0.1:${port}`;
});
afterEach(() => redis.resume());
afterAll(async () => {
  await downloads.harness.stop();
  await Promise.all([postgres.stop(), redis.stop()]);
});

async function ready() {
  const response = await fetch(`${privateUrl}/readyz`);
  const { checks } = (await response.json()) as { checks: Record<string, boolean> };
  return { status: response.status, checks };
}
const newLocation = async () =>
  newUpload(downloads.url, (await mintTransfer(downloads.harness, { sizeBytes: content.length })).istk, 5);

describe('ADR 11: an instance of Forge', () => {
  it('is ready and transfers bytes both ways without Redis, which only counts refusals', async () => {
    const file = await downloads.store(content);
    const [location, { istk }] = [await newLocation(), await downloads.mint(file)];
    redis.pause();
    const { status } = await eventually(
      ready,
      ({ checks }) => !checks['redis'] && checks['postgres'] === true,
    );
    expect(status).toBe(200);
    expect((await sendChunk(downloads.url, location, 0, content)).status).toBe(204);
    const response = await downloads.get(istk);
    expect([response.status, await response.text()]).toEqual([200, 'bytes']);
  });

  it('is ready without PostgreSQL: it answers HEAD with 423, after which tus-js-client retries', async () => {
    const location = await newLocation();
    service.context.get(UploadTimeouts).offsetTimeoutMs = 500;
    await postgres.kill('SIGKILL');
    expect(await ready()).toMatchObject({ status: 200, checks: { postgres: false, objects: true } });
    expect((await tus(downloads.url, 'HEAD', location)).status).toBe(423);
    await postgres.restart();
  });

  it('is not ready once it shuts down', async () => {
    service.leave();
    expect((await ready()).status).toBe(503);
  });
});
