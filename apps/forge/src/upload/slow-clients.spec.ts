import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CHUNK_BYTES } from '@vaultsvc/crypto/container';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { until } from '@vaultsvc/testing/waiting';
import { register } from 'prom-client';
import { forge } from '../service-definition.js';
import { startChunk } from '../testing/streamed-chunk.js';
import { objectKeysOf, storedContent } from '../testing/stored-file.js';
import { mintTransfer } from '../testing/transfers.js';
import { forgeUrl, newUpload, sendChunk, tus } from '../testing/uploads.js';
import { UploadTimeouts } from './upload-timeouts.js';
import { watchRate } from './upload-body.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge, { CHUNKS_AT_ONCE_MAX: '8' });
let url: string;
beforeAll(async () => {
  url = forgeUrl(service);
});
afterEach(() => void Object.assign(service.context.get(UploadTimeouts), new UploadTimeouts()));

async function open(bytes: number, accountId?: string) {
  const transfer = await mintTransfer(harness, { sizeBytes: bytes, ...(accountId && { accountId }) });
  return { transfer, location: await newUpload(url, transfer.istk, bytes) };
}

/** Writes a body in pieces with pauses, until it is complete or the connection is cut. */
async function drip(
  { outgoing }: ReturnType<typeof startChunk>,
  body: Buffer,
  pieceBytes: number,
  pauseMs: number,
): Promise<void> {
  for (let sent = 0; sent < body.length && !outgoing.destroyed; sent += pieceBytes) {
    outgoing.write(body.subarray(sent, sent + pieceBytes));
    await delay(pauseMs);
  }
  outgoing.end();
}

async function metric(name: string): Promise<number> {
  const { values } = (await register.getSingleMetric(name)?.get()) ?? { values: [] };
  return values.reduce((sum, { value }) => sum + value, 0);
}

describe('a client that sends too slowly', () => {
  it('is measured over 30 s, at 16 KiB in a second', () => {
    const { chunkBytesPerSecondMin, chunkWindowMs } = new UploadTimeouts();
    expect([chunkBytesPerSecondMin, chunkWindowMs]).toEqual([16_384, 30_000]);
  });

  it('is disconnected and leaves no object; a steady one may take as long as it needs', async () => {
    service.context.get(UploadTimeouts).chunkWindowMs = 600;
    const [slow, steady] = await Promise.all([open(100_000), open(500_000)]);
    const content = randomBytes(500_000);
    const dripping = startChunk(url, slow.location, 0, { 'Content-Length': '100000' });
    const flowing = startChunk(url, steady.location, 0, { 'Content-Length': '500000' });
    // One piece in a window is enough, because a busy machine may delay the others.
    const sending = [drip(dripping, content, 100, 50), drip(flowing, content, 20_000, 100)];
    // The code depends on whether a piece was being written at that moment.
    await expect(dripping.response).rejects.toMatchObject({
      code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/),
    });
    expect((await flowing.response).status).toBe(204);
    await Promise.all(sending);
    expect((await tus(url, 'HEAD', slow.location)).headers['upload-offset']).toBe('0');
    expect(await objectKeysOf(service, slow.transfer.versionId)).toEqual([]);
    expect((await storedContent(service, steady.transfer, 500_000)).equals(content)).toBe(true);
  });

  it('is not cut off while the store is slow', async () => {
    const timeouts = Object.assign(new UploadTimeouts(), { chunkWindowMs: 60 });
    const request = { socket: { bytesRead: 0 } } as IncomingMessage;
    const calls = { client: 0, store: 0 };
    const stops = [
      watchRate({ request, isWaitingForClient: () => true, onSlow: () => (calls.client += 1) }, timeouts),
      watchRate({ request, isWaitingForClient: () => false, onSlow: () => (calls.store += 1) }, timeouts),
    ];
    await until(() => Promise.resolve(calls.client >= 2));
    stops.forEach((stop) => stop());
    expect(calls.store).toBe(0);
  });
});

describe('concurrently received chunks', () => {
  it('are limited per process: the next waits, gets 500 before its body is read, and may be retried', async () => {
    // An instance of its own: for 10 s after a wait each account is limited to its share.
    const url = forgeUrl(await harness.start(forge, { CHUNKS_AT_ONCE_MAX: '8', TRANSFER_WAIT_MS: '300' }));
    const opened = await Promise.all(Array.from({ length: 9 }, () => open(10)));
    const last = opened.pop() as (typeof opened)[number];
    const requests = opened.map(({ location }) => {
      const started = startChunk(url, location, 0, { 'Content-Length': '10' });
      started.outgoing.write('12345');
      return started;
    });
    await until(async () => (await metric('vaultsvc_chunks_receiving')) === 8);
    const refusedBefore = await metric('vaultsvc_chunks_refused_total');
    expect((await sendChunk(url, last.location, 0, Buffer.alloc(10))).status).toBe(500);
    expect(await metric('vaultsvc_chunks_refused_total')).toBe(refusedBefore + 1);
    requests.forEach(({ outgoing }) => outgoing.end('67890'));
    for (const { response } of requests) expect((await response).status).toBe(204);
    expect((await sendChunk(url, last.location, 0, Buffer.alloc(10))).status).toBe(204);
  });

  it('are limited to seven eighths for one account, so that others are received', async () => {
    const accountId = newId('acc_');
    const opened = await Promise.all(Array.from({ length: 8 }, () => open(10, accountId)));
    const last = opened.pop() as (typeof opened)[number];
    const requests = opened.map(({ location }) => {
      const started = startChunk(url, location, 0, { 'Content-Length': '10' });
      started.outgoing.write('12345');
      return started;
    });
    await until(async () => (await metric('vaultsvc_chunks_receiving')) === 7);
    expect((await sendChunk(url, last.location, 0, Buffer.alloc(10))).status).toBe(500);
    const other = await open(10);
    expect((await sendChunk(url, other.location, 0, Buffer.alloc(10))).status).toBe(204);
    requests.forEach(({ outgoing }) => outgoing.end('67890'));
    for (const { response } of requests) expect((await response).status).toBe(204);
    expect((await sendChunk(url, last.location, 0, Buffer.alloc(10))).status).toBe(204);
  });

  it('are not buffered: 8 of 50 MiB need a fraction of that memory', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => open(CHUNK_BYTES)));
    const used = () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = used();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, used())), 5);
    const statuses = await Promise.all(opened.map(({ location }) => pour(location)));
    clearInterval(watch);
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 204));
    expect(peak - before).toBeLessThan(150 * 1_024 * 1_024);
  });
});

/** Sends a whole chunk from one buffer, as fast as it is received. */
async function pour(location: string): Promise<number> {
  const part = Buffer.alloc(65_536, 7);
  const { outgoing, response } = startChunk(url, location, 0, { 'Content-Length': String(CHUNK_BYTES) });
  for (let sent = 0; sent < CHUNK_BYTES; sent += part.length) {
    if (!outgoing.write(part)) await new Promise((resolve) => outgoing.once('drain', resolve));
  }
  outgoing.end();
  return (await response).status;
}
