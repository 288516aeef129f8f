import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { buildService, runProgram, said } from '@vaultsvc/tools-testing/service-process';
import { freePort } from '../../../../tools/stack/servers/ports.mjs';
import { startDownloads, type Downloads } from '../testing/downloads.js';

const SIZE = 50_000_000;
/** What may be on its way to a reader that has stopped: our own buffers and the system's. */
const BUFFERS_MAX_BYTES = 16_000_000;

let downloads: Downloads;
let bundle: string;
beforeAll(async () => {
  [downloads, bundle] = await Promise.all([startDownloads(), buildService('forge')]);
});
afterAll(() => downloads.harness.stop());

const GRACE_MS = 500;
/** From the signal to the end of a process whose last steps were cut off by the clock, at the least (GraceOver). */
const CUT_OFF_MS = GRACE_MS + 1_000;

/** Cuts a download off, and says how long that took and which one it was. */
async function cutOff(): Promise<{ lookup: Buffer; tookMs: number }> {
  const { istk, lookup } = await downloads.mint(await downloads.store(Buffer.alloc(SIZE)));
  const port = String(await freePort());
  const settings = { HTTP_PORT: port, SHUTDOWN_GRACE_MS: String(GRACE_MS), LOG_LEVEL: 'info' };
  const program = runProgram(bundle, 'main', await downloads.harness.environment('forge', settings));
  await said(program, '"msg":"ready"');
  const request = get(`http://127.0.0.1:${port}/decrypt?istk=${istk}`);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await eventually(
    () => bytesOf(lookup),
    ({ moved }) => moved > 0,
  );
  const begunMs = performance.now();
  program.process.kill('SIGTERM');
  expect(await program.ended).toBe(1);
  const tookMs = performance.now() - begunMs;
  answer.on('error', () => undefined).destroy();
  return { lookup, tookMs };
}

async function bytesOf(lookup: Buffer): Promise<{ moved: number; told: number }> {
  const text = 'SELECT bytes_moved AS moved, bytes_told AS told FROM istks WHERE lookup = $1';
  const [found] = await downloads.sql<{ moved: number; told: number }>(text, [lookup]);
  return found ?? { moved: -1, told: -1 };
}

describe('ING-19: a process whose grace is over', () => {
  it('settles the downloads that it cuts: what was sent is told, the rest is given back', async () => {
    let cut = await cutOff();
    // The clock cut its last steps off, because the machine was busy: a job settles those.
    while (cut.tookMs >= CUT_OFF_MS) cut = await cutOff();
    // PostgreSQL may still be at the last statement of a process that has ended.
    const { told } = await eventually(
      () => bytesOf(cut.lookup),
      (bytes) => bytes.told === bytes.moved,
    );
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(BUFFERS_MAX_BYTES);
  });
});
