import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { buildService, startProcess, waitForOutput } from '@vaultsvc/tools-testing/service-process';
import { freePort } from '../../../../tools/stack/servers/ports.ts';
import { startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';

const SIZE = 50_000_000;
/** Bytes that the buffers of the process and the kernel hold for a client that has stopped reading. */
const BUFFERS_MAX_BYTES = 16_000_000;

let downloads: DownloadFixture;
let bundle: string;
beforeAll(async () => {
  [downloads, bundle] = await Promise.all([startDownloadFixture(), buildService('forge')]);
});
afterAll(() => downloads.harness.stop());

const GRACE_MS = 500;
/** Minimum time from the signal to the exit of a process whose last steps timed out (ForcedShutdown). */
const CUT_OFF_MS = GRACE_MS + 1_000;

/** Has a shutdown cut a download off; returns its lookup and the time that the shutdown took. */
async function cutOff(): Promise<{ lookup: Buffer; tookMs: number }> {
  const { istk, lookup } = await downloads.mint(await downloads.store(Buffer.alloc(SIZE)));
  const port = String(await freePort());
  const settings = { HTTP_PORT: port, SHUTDOWN_GRACE_MS: String(GRACE_MS), LOG_LEVEL: 'info' };
  const program = startProcess(bundle, 'main', await downloads.harness.environment('forge', settings));
  await waitForOutput(program, '"msg":"ready"');
  const request = get(`http://127.0.0.1:${port}/decrypt?istk=${istk}`);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await eventually(
    () => bytesOf(lookup),
    ({ moved }) => moved > 0,
  );
  const begunMs = performance.now();
  program.process.kill('SIGTERM');
  expect(await program.ended).toBe(1);
  const tookMs = performance.now() - begunMs;
  response.on('error', () => undefined).destroy();
  return { lookup, tookMs };
}

async function bytesOf(lookup: Buffer): Promise<{ moved: number; published: number }> {
  const text = 'SELECT bytes_moved AS moved, bytes_told AS published FROM istks WHERE lookup = $1';
  const [found] = await downloads.sql<{ moved: number; published: number }>(text, [lookup]);
  return found ?? { moved: -1, published: -1 };
}

describe('ING-19: a process whose shutdown grace period has expired', () => {
  it('settles the downloads that it cuts off: it reports the sent bytes and returns the rest', async () => {
    let cut = await cutOff();
    // On a busy machine the last steps time out; then a job settles the download.
    while (cut.tookMs >= CUT_OFF_MS) cut = await cutOff();
    // PostgreSQL may still execute the last statement of the exited process.
    const { published } = await eventually(
      () => bytesOf(cut.lookup),
      (bytes) => bytes.published === bytes.moved,
    );
    expect(published).toBeGreaterThan(0);
    expect(published).toBeLessThan(BUFFERS_MAX_BYTES);
  });
});
