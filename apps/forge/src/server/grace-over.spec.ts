import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildService, runProgram, said } from '@vaultsvc/testing/programs';
import { eventually } from '@vaultsvc/testing/waiting';
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

describe('ING-19: a process whose grace is over', () => {
  it('settles the downloads that it cuts: what was sent is told, the rest is given back', async () => {
    const { istk, lookup } = await downloads.mint(await downloads.store(Buffer.alloc(SIZE)));
    const port = String(await freePort());
    const settings = { HTTP_PORT: port, SHUTDOWN_GRACE_MS: '500', LOG_LEVEL: 'info' };
    const program = runProgram(bundle, 'main', await downloads.harness.environment('forge', settings));
    await said(program, '"msg":"ready"');

    const request = get(`http://127.0.0.1:${port}/decrypt?istk=${istk}`);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const row = async () => {
      const text = 'SELECT bytes_moved, bytes_told FROM istks WHERE lookup = $1';
      const [found] = await downloads.sql<{ bytes_moved: number; bytes_told: number }>(text, [lookup]);
      return found ?? { bytes_moved: -1, bytes_told: -1 };
    };
    await eventually(row, ({ bytes_moved: moved }) => moved > 0);
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(1);

    // PostgreSQL may still be at the last statement of a process that has ended.
    const { bytes_told: told } = await eventually(row, (found) => found.bytes_told === found.bytes_moved);
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(BUFFERS_MAX_BYTES);
    answer.on('error', () => undefined).destroy();
  });
});
