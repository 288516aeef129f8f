import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { buildService, startProcess, waitForOutput } from '@vaultsvc/tools-testing/service-process';
import { freePort } from '../../../../tools/stack/servers/ports.ts';
import { forge } from '../service-definition.js';
import { originOf, startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import type { MintedTransfer } from '../testing/transfers.js';
import { SettleAbandonedDownloads } from './settle-abandoned-downloads.job.js';

const SIZE = 50_000_000;
/** Bytes that the buffers of this process and of the system can hold for a client that has stopped reading. */
const BUFFERS_MAX_BYTES = 16_000_000;

let downloads: DownloadFixture;
let large: MintedTransfer;
let small: MintedTransfer;
let other: string; // a second instance
let bundle: string;
beforeAll(async () => {
  [downloads, bundle] = await Promise.all([startDownloadFixture(), buildService('forge')]);
  const second = await downloads.harness.start(forge);
  await stopSchedule(downloads.service, second);
  other = originOf(second);
  large = await downloads.store(randomBytes(SIZE));
  small = await downloads.store(randomBytes(1_000));
});
afterAll(() => downloads.harness.stop());

/** Starts a download and leaves its body unread. */
async function start({ istk }: MintedTransfer, range?: string, url = downloads.url) {
  const request = get(`${url}/decrypt?istk=${istk}`, {
    headers: range ? { Range: range } : {},
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Closes the connection in the middle of the body. */
async function abort(response: IncomingMessage) {
  await once(response, 'readable');
  response.on('error', () => undefined).destroy();
}

async function statusAndCode(response: IncomingMessage) {
  if (response.statusCode !== 401) {
    response.on('error', () => undefined).destroy();
    return [response.statusCode, undefined];
  }
  const parts = (await response.toArray()) as Buffer[];
  const { error } = JSON.parse(Buffer.concat(parts).toString()) as { error: { details: { code: string } } };
  return [401, error.details.code];
}
const EXHAUSTED = [401, 'ISTK_EXHAUSTED'];

async function movedBytes({ lookup }: MintedTransfer) {
  const [row] = await downloads.sql<{ moved: number; told: number }>(
    'SELECT bytes_moved AS moved, bytes_told AS told FROM istks WHERE lookup = $1',
    [lookup],
  );
  return row ?? { moved: -1, told: -1 };
}
const settled = (of: MintedTransfer) =>
  eventually(
    () => movedBytes(of),
    ({ moved, told }) => moved > 0 && moved === told,
  );

describe('FRG-29 OPEN-15: the byte cap of a streaming ISTK', () => {
  it('refuses a request that it cannot serve whole before the first byte (AMB-29), and serves a range that fits', async () => {
    const istk = await downloads.stream(small, { bytesMax: 1_500 });
    expect((await (await downloads.get(istk.istk)).arrayBuffer()).byteLength).toBe(1_000);
    await settled(istk);
    expect(await statusAndCode(await start(istk))).toEqual(EXHAUSTED);
    expect(await statusAndCode(await start(istk, 'bytes=0-500'))).toEqual(EXHAUSTED);
    expect(await movedBytes(istk)).toEqual({ moved: 1_000, told: 1_000 });
    const rest = await downloads.get(istk.istk, { Range: 'bytes=500-' });
    expect([rest.status, (await rest.arrayBuffer()).byteLength]).toEqual([206, 500]);
    expect(await statusAndCode(await start(istk, 'bytes=0-0'))).toEqual(EXHAUSTED);
  });

  it('is reserved by running requests: of 30 concurrent ones on two instances it admits those that fit', async () => {
    const istk = await downloads.stream(large, { bytesMax: 5 * SIZE + SIZE / 2 });
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => start(istk, undefined, index % 2 ? other : downloads.url)),
    );
    const admitted = responses.filter(({ statusCode }) => statusCode === 200);
    expect(admitted).toHaveLength(5);
    expect(responses.some(({ statusCode }) => statusCode === 401)).toBe(true);
    for (const response of responses) response.on('error', () => undefined).destroy();
    await eventually(
      () => start(istk).then(statusAndCode),
      ([status]) => status === 200,
    );
  });

  it('gets back what was not sent: seeks of a player that end early cost what they read', async () => {
    const istk = await downloads.stream(large, { bytesMax: 2 * SIZE });
    for (let seek = 0; seek < 6; seek += 1) {
      const response = await start(istk, `bytes=${seek * 1_000_000}-`);
      expect(response.statusCode).toBe(206);
      await abort(response);
      await settled(istk);
    }
    expect((await movedBytes(istk)).moved).toBeLessThan(6 * BUFFERS_MAX_BYTES);
  });

  it('gets back the reservation of a killed process when its lease has expired, and at most 16 MB count as sent', async () => {
    const istk = await downloads.stream(large, { bytesMax: SIZE + BUFFERS_MAX_BYTES });
    const port = String(await freePort());
    const settings = { HTTP_PORT: port, LOG_LEVEL: 'info' };
    const program = startProcess(bundle, 'main', await downloads.harness.environment('forge', settings));
    await waitForOutput(program, '"msg":"ready"');
    const response = await start(istk, undefined, `http://127.0.0.1:${port}`);
    response.on('error', () => undefined);
    program.process.kill('SIGKILL');
    await program.ended;
    const job = downloads.service.context.get(SettleAbandonedDownloads);
    await job.run();
    expect(await statusAndCode(await start(istk))).toEqual(EXHAUSTED);
    await downloads.sql(
      `UPDATE downloads SET renewed_at = renewed_at - interval '3 minutes' WHERE lookup = $1`,
      [istk.lookup],
    );
    await Promise.all([job.run(), job.run()]);
    const { moved, told } = await movedBytes(istk);
    expect([moved === told, moved > 0, moved <= BUFFERS_MAX_BYTES]).toEqual([true, true, true]);
    expect(await statusAndCode(await start(istk))).toEqual([200, undefined]);
  });
});

describe('FRG-27 FRG-28: a running streaming download', () => {
  it.each([
    ['at the absolute end of its ISTK', 'expires_at'],
    ['when its ISTK has been idle for too long', 'idle_until'],
  ])('ends within the next step of 8 MiB %s', async (_, column) => {
    const istk = await downloads.stream(large);
    const response = await start(istk);
    await once(response, 'readable');
    await downloads.sql(`UPDATE istks SET ${column} = now() WHERE lookup = $1`, [istk.lookup]);
    let bytes = 0;
    const reading = async () => {
      for await (const part of response) bytes += (part as Buffer).length;
    };
    await expect(reading()).rejects.toThrow();
    expect(bytes).toBeLessThan(SIZE - 8_000_000);
  });

  it('with a single-use ISTK continues after the end of the ISTK, because it cannot be resumed (FRG-26)', async () => {
    const istk = await downloads.mint(large);
    const response = await start(istk);
    await once(response, 'readable');
    await downloads.sql(`UPDATE istks SET expires_at = now() WHERE lookup = $1`, [istk.lookup]);
    let bytes = 0;
    for await (const part of response) bytes += (part as Buffer).length;
    expect(bytes).toBe(SIZE);
  });
});
