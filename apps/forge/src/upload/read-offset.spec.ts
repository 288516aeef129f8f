import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningService } from '@vaultsvc/service';
import { startHarness, type Harness } from '@vaultsvc/testing/harness';
import { send } from '@vaultsvc/testing/http';
import { startPostgres, type TestServer } from '@vaultsvc/testing/servers';
import { forge } from '../service-definition.js';
import { mintTransfer } from '../testing/transfers.js';
import { forgeUrl, newUpload, sendChunk, tus } from '../testing/uploads.js';
import { UploadTimeouts } from './upload-timeouts.js';

let harness: Harness;
let postgres: TestServer;
let service: RunningService;
let url: string;
beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
  postgres = await startPostgres();
  service = await harness.start(forge, { DATABASE_URL: postgres.url, DATABASE_SCHEMA: 'public' });
  url = forgeUrl(service);
});
afterAll(async () => {
  await harness.stop();
  await postgres.stop();
});

async function newLocation(bytes = 5): Promise<string> {
  const { istk } = await mintTransfer(harness, { sizeBytes: bytes });
  return newUpload(url, istk, bytes);
}
const head = (location: string) => tus(url, 'HEAD', location);

describe('HEAD /encrypt/{upload_id}', () => {
  it('FRG-14 TRAP 62: answers 200 with offset, length and chunk size, which may not be cached', async () => {
    const location = await newLocation();
    const common = {
      'upload-length': '5',
      'x-chunk-size': '52428800',
      'tus-resumable': '1.0.0',
      'cache-control': 'no-store',
    };
    const open = await head(location);
    expect([open.status, open.headers]).toMatchObject([200, { ...common, 'upload-offset': '0' }]);
    await sendChunk(url, location, 0, Buffer.from('bytes'));
    const finished = await head(location);
    expect([finished.status, finished.headers]).toMatchObject([200, { ...common, 'upload-offset': '5' }]);
  });

  it('FRG-33 OPEN-55: answers 404 without a body for an unknown upload and for a malformed id', async () => {
    for (const id of ['A'.repeat(43), 'x']) {
      const response = await head(`/encrypt/${id}`);
      expect([response.status, response.body.length]).toEqual([404, 0]);
      expect(response.headers['tus-resumable']).toBe('1.0.0');
    }
  });

  it('FRG-14 OPEN-14: answers 412 for another version of the protocol; the version is optional', async () => {
    const sendHead = (headers: Record<string, string>, target: string) =>
      send(url, { method: 'HEAD', target, headers });
    const location = await newLocation();
    const other = await sendHead({ 'Tus-Resumable': '0.2.2' }, location);
    expect([other.status, other.headers['tus-version']]).toEqual([412, '1.0.0']);
    const withoutVersion = await sendHead({}, location);
    expect([withoutVersion.status, withoutVersion.headers['upload-offset']]).toEqual([200, '0']);
    expect(withoutVersion.headers['tus-resumable']).toBe('1.0.0');
  });
});

describe('HEAD /encrypt/{upload_id} while PostgreSQL is down', () => {
  it('waits until it is back, and answers with the offset', async () => {
    const location = await newLocation();
    await postgres.kill('SIGKILL');
    const response = head(location);
    await delay(500);
    await postgres.restart();
    expect([(await response).status, (await response).headers['upload-offset']]).toEqual([200, '0']);
  });

  it('answers 423 with Retry-After at its timeout, after which tus-js-client retries, and never 5xx', async () => {
    const location = await newLocation();
    service.context.get(UploadTimeouts).offsetTimeoutMs = 700;
    await postgres.kill('SIGKILL');
    const startedMs = Date.now();
    const response = await head(location);
    await postgres.restart();
    expect([response.status, response.headers['retry-after']]).toEqual([423, '5']);
    expect(Date.now() - startedMs).toBeGreaterThan(600);
  });
});
