import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { startS3 } from '@vaultsvc/objects/testing';
import type { RunningService } from '@vaultsvc/service';
import { eventually } from '@vaultsvc/testing/waiting';
import { register } from 'prom-client';
import { DownloadTimeouts } from '../download/download-heartbeat.js';
import { forge } from '../service-definition.js';
import { originOf, startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import { receiving, startChunk, type PendingRequest } from '../testing/streamed-chunk.js';
import { storeFile, storedContent } from '../testing/stored-file.js';
import { mintTransfer, type MintedTransfer } from '../testing/transfers.js';
import { newUpload, sendChunk, tus } from '../testing/uploads.js';
import { UploadTimeouts } from '../upload/upload-timeouts.js';

const SIZE = 20_000_000;
const content = randomBytes(SIZE);
const READERS = 1_000;
/** Connections that begin together; of all 1,000 a busy process would close some before it reads their headers. */
const READERS_TOGETHER = 50;

let s3: Awaited<ReturnType<typeof startS3>>;
let downloads: DownloadFixture;
beforeAll(async () => {
  s3 = await startS3();
  const store = { S3_BUCKET: s3.bucket, S3_REGION: s3.region, S3_ENDPOINT: s3.endpoint };
  const access = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER', S3_PATH_STYLE: 'true' };
  downloads = await startDownloadFixture({ ...store, ...access, OBJECTS_DIR: '' });
  tolerateBusyMachine(downloads.service);
});
const open: IncomingMessage[] = [];
const sending: PendingRequest[] = [];
afterEach(async () => {
  for (const response of open.splice(0)) response.on('error', () => undefined).destroy();
  for (const { outgoing } of sending.splice(0)) outgoing.destroy();
  await eventually(receiving, (count) => count === 0);
  await eventually(
    () => metric('vaultsvc_downloads_running'),
    (count) => count === 0,
  );
});
afterAll(async () => {
  await downloads.harness.stop();
  await s3.stop();
});

/** Without it the rates of clients would end transfers that the limits do not. */
function tolerateBusyMachine({ context }: RunningService): void {
  context.get(DownloadTimeouts).stallMs = 600_000;
  context.get(UploadTimeouts).chunkWindowMs = 600_000;
}

async function metric(name: string): Promise<number> {
  const { values } = (await register.getSingleMetric(name)?.get()) ?? { values: [] };
  return values.reduce((sum, { value }) => sum + value, 0);
}

async function fileOf(accountId: string): Promise<MintedTransfer> {
  const file = await mintTransfer(downloads.harness, { accountId, sizeBytes: SIZE });
  await storeFile(downloads.service, file, content);
  return file;
}

/** Starts a download and leaves its body unread. */
async function start({ istk }: MintedTransfer, url: string, headers: Record<string, string> = {}) {
  const request = get(`${url}/decrypt?istk=${istk}`, { agent: false, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  open.push(response);
  return response;
}

/** Reads 1 KiB in each second. */
function readSlowly(response: IncomingMessage): void {
  const timer = setInterval(() => response.read(1_024), 1_000).unref();
  response.once('close', () => clearInterval(timer)).on('error', () => undefined);
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await response.toArray()) as Buffer[]);
}

const detailsOf = async (response: IncomingMessage) =>
  (JSON.parse((await bodyOf(response)).toString()) as { error: { code: string; details: object } }).error;

/** Starts the upload of a small file and sends a part of its only chunk. */
async function startSlowUpload(accountId: string, url: string): Promise<PendingRequest> {
  const transfer = await mintTransfer(downloads.harness, { accountId, sizeBytes: 100_000 });
  const location = await newUpload(url, transfer.istk, 100_000);
  const pending = startChunk(url, location, 0, { 'Content-Length': '100000' });
  pending.outgoing.write(Buffer.alloc(1_000));
  sending.push(pending);
  return pending;
}

const isCut = ({ response }: PendingRequest) =>
  response.then(
    () => false,
    () => true,
  );

describe('1,000 readers at 1 KiB/s of one account, and 64 slow uploads of two accounts', () => {
  it('leave the upload and the download of another account complete: 64 readers are admitted, 936 get 429 (ENV-44), one upload ends', async () => {
    const { url } = downloads;
    const [reader, one, another, other] = Array.from({ length: 4 }, () => newId('acc_'));
    const istk = await downloads.stream(await fileOf(reader as string));
    const responses: IncomingMessage[] = [];
    const startReader = async () => {
      const response = await start(istk, url);
      responses.push(response);
      if (response.statusCode === 200) readSlowly(response);
    };
    for (let started = 0; started < READERS; started += READERS_TOGETHER)
      await Promise.all(Array.from({ length: READERS_TOGETHER }, startReader));
    const refused = responses.filter(({ statusCode }) => statusCode === 429);
    expect([responses.filter(({ statusCode }) => statusCode === 200).length, refused.length]).toEqual([
      64,
      READERS - 64,
    ]);
    const first = refused[0] as IncomingMessage;
    expect(Number(first.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await detailsOf(first)).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { limit: 64, used: 64, resets_at: expect.any(Number) },
    });
    const uploads: PendingRequest[] = [];
    for (let i = 0; i < 64; i += 1)
      uploads.push(await startSlowUpload((i % 2 ? one : another) as string, url));
    const ended: unknown[] = [];
    for (const { response } of uploads)
      response.then(
        ({ status, body }) => ended.push(`${status} ${body.toString()}`),
        (error: unknown) => ended.push(String(error)),
      );
    await eventually(
      async () => ({ receiving: await receiving(), ended }),
      (uploads) => uploads.receiving === 64,
      60, // below the limit of the test, to see the answers
    );

    const upload = await mintTransfer(downloads.harness, { accountId: other as string, sizeBytes: 100_000 });
    const location = await newUpload(url, upload.istk, 100_000);
    const sent = await sendChunk(url, location, 0, content.subarray(0, 100_000));
    expect(sent.status).toBe(204);
    expect(
      (await storedContent(downloads.service, upload, 100_000)).equals(content.subarray(0, 100_000)),
    ).toBe(true);
    const download = await start(await downloads.mint(await fileOf(other as string)), url);
    expect([download.statusCode, (await bodyOf(download)).equals(content)]).toEqual([200, true]);
    expect(await receiving()).toBe(63);
    expect(await Promise.race([...uploads.map(isCut)])).toBe(true);
    await eventually(
      () => metric('vaultsvc_downloads_running'),
      (count) => count === 64, // the client has all bytes before its download is settled
    );
  });
});

describe('downloads at the limit of the process', () => {
  const start4 = async (mode: 'stream' | 'mint', url: string) => {
    const files = await Promise.all([fileOf(newId('acc_')), fileOf(newId('acc_'))]);
    const istks = await Promise.all([...files, ...files].map((file) => downloads[mode](file)));
    const responses = await Promise.all(istks.map((istk) => start(istk, url)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    return { istks, responses };
  };
  const instance = async (waitMs: number) => {
    const service = await downloads.harness.start(forge, {
      DOWNLOADS_AT_ONCE_MAX: '4',
      DOWNLOADS_PER_ACCOUNT_MAX: '2',
      TRANSFER_WAIT_MS: String(waitMs),
    });
    tolerateBusyMachine(service);
    return originOf(service);
  };

  it('wait until a slow streaming one was ended, which resumes by Range', async () => {
    const url = await instance(120_000);
    const { istks, responses } = await start4('stream', url);
    const endedBefore = await metric('vaultsvc_downloads_ended_total');
    const waiting = await start(await downloads.mint(await fileOf(newId('acc_'))), url);
    expect([waiting.statusCode, (await bodyOf(waiting)).equals(content)]).toEqual([200, true]);
    expect(await metric('vaultsvc_downloads_ended_total')).toBe(endedBefore + 1);
    const received = responses.map(() => 0);
    const ends = responses.map(async (response, index) => {
      for await (const part of response) received[index] = (received[index] ?? 0) + (part as Buffer).length;
      return 'whole';
    });
    const outcomes = await Promise.allSettled(ends);
    const cut = outcomes.findIndex(({ status }) => status === 'rejected');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const position = received[cut] as number;
    const rest = await start(istks[cut] as MintedTransfer, url, { Range: `bytes=${position}-` });
    expect([rest.statusCode, (await bodyOf(rest)).equals(content.subarray(position))]).toEqual([206, true]);
  });

  it('get 429 (ENV-44) after the wait while only single-use ones run, which never end for others', async () => {
    const url = await instance(15_000); // longer than the window of a rate
    const { responses } = await start4('mint', url);
    const spare = await downloads.mint(await fileOf(newId('acc_')));
    const refused = await start(spare, url);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await detailsOf(refused)).toMatchObject({ details: { limit: 4, used: 4 } });
    for (const response of responses) expect((await bodyOf(response)).equals(content)).toBe(true);
    expect((await tus(url, 'GET', `/decrypt?istk=${spare.istk}`)).status).toBe(200); // it was not consumed
  });
});
