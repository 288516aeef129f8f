import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHUNK_BYTES } from '@vaultsvc/crypto/container';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { Upload, type DetailedError, type HttpRequest, type UploadOptions } from 'tus-js-client';
import { forge } from '../service-definition.js';
import { storedContent } from '../testing/stored-file.js';
import { mintTransfer, type MintedTransfer } from '../testing/transfers.js';
import { forgeUrl, tus } from '../testing/uploads.js';

const CONTENT = randomBytes(CHUNK_BYTES + 1_000);

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: string;
beforeAll(async () => {
  url = forgeUrl(service);
});

interface Ended {
  readonly uploadUrl: string;
  readonly outcome: 'success' | 'aborted' | DetailedError | Error;
}

/** Runs an upload; aborts it after `stopAfter` bytes. */
function run(content: Buffer, options: UploadOptions, stopAfter?: number): Promise<Ended> {
  return new Promise((resolve) => {
    const end = (outcome: Ended['outcome']) => resolve({ uploadUrl: upload.url ?? '', outcome });
    const upload = new Upload(content, {
      chunkSize: CHUNK_BYTES,
      retryDelays: [0, 100, 500],
      metadata: { filename: 'file.bin', filetype: 'application/octet-stream' },
      onSuccess: () => end('success'),
      onError: end,
      onProgress: (sent) => {
        if (stopAfter !== undefined && sent > stopAfter) void upload.abort().then(() => end('aborted'));
      },
      ...options,
    });
    upload.start();
  });
}

const endpointOf = ({ istk }: MintedTransfer) => `${url}/encrypt?istk=${istk}`;

describe('unmodified tus-js-client', () => {
  it('uploads with forge_url as its endpoint, aborts in the middle of a chunk, resumes and finishes', async () => {
    const transfer = await mintTransfer(harness, { sizeBytes: CONTENT.length });
    const stopped = await run(CONTENT, { endpoint: endpointOf(transfer) }, 1_000_000);
    expect(stopped.outcome).toBe('aborted');
    expect(stopped.uploadUrl).toMatch(/\/encrypt\/[\w-]{43}$/);
    const resumed = await run(CONTENT, { uploadUrl: stopped.uploadUrl });
    expect(resumed.outcome).toBe('success');
    expect((await storedContent(service, transfer, CONTENT.length)).equals(CONTENT)).toBe(true);
    // A repeated upload reads the offset and is done.
    expect((await run(CONTENT, { uploadUrl: stopped.uploadUrl })).outcome).toBe('success');
  });

  it('uploads by POST with overridePatchMethod, and resumes after it aborted its second chunk', async () => {
    const content = randomBytes(2 * CHUNK_BYTES + 1_000);
    const transfer = await mintTransfer(harness, { sizeBytes: content.length });
    const methods = new Set<string>();
    const onBeforeRequest = (request: HttpRequest) => void methods.add(request.getMethod());
    const options = { overridePatchMethod: true, onBeforeRequest };
    const endpoint = endpointOf(transfer);
    const stopped = await run(content, { ...options, endpoint }, CHUNK_BYTES + 1_000_000);
    expect(stopped.outcome).toBe('aborted');
    const { headers } = await tus(url, 'HEAD', new URL(stopped.uploadUrl).pathname);
    expect(headers['upload-offset']).toBe(String(CHUNK_BYTES));
    const resumed = await run(content, { ...options, uploadUrl: stopped.uploadUrl });
    expect(resumed.outcome).toBe('success');
    expect([...methods]).toEqual(['POST', 'HEAD']);
    expect((await storedContent(service, transfer, content.length)).equals(content)).toBe(true);
  });

  it('FRG-15: cancels an upload', async () => {
    const transfer = await mintTransfer(harness, { sizeBytes: CONTENT.length });
    const { uploadUrl } = await run(CONTENT, { endpoint: endpointOf(transfer) }, CHUNK_BYTES / 2);
    await Upload.terminate(uploadUrl, {});
    expect((await tus(url, 'HEAD', new URL(uploadUrl).pathname)).status).toBe(404);
  });

  it('reports ISTK_USED without retrying', async () => {
    const content = Buffer.from('content');
    const transfer = await mintTransfer(harness, { sizeBytes: content.length });
    expect((await run(content, { endpoint: endpointOf(transfer) })).outcome).toBe('success');
    const { outcome } = await run(content, { endpoint: endpointOf(transfer) });
    const { originalResponse } = outcome as DetailedError;
    expect(originalResponse?.getStatus()).toBe(401);
    expect(originalResponse?.getBody()).toContain('ISTK_USED');
  });
});
