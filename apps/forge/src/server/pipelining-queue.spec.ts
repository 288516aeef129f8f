import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import type { MintedTransfer } from '../testing/transfers.js';

/** More than socket buffers hold, so the first response is not complete before the client reads it. */
const SIZE = 32 * 1_024 * 1_024;

let downloads: DownloadFixture;
let file: MintedTransfer;
beforeAll(async () => {
  downloads = await startDownloadFixture();
  file = await downloads.store(Buffer.alloc(SIZE, 'a'));
});
afterAll(() => downloads.harness.stop());

/** Sends pipelined requests on one connection. */
function pipeline(count: number, istk: string, range: (index: number) => string): Socket {
  const { hostname, port } = new URL(downloads.url);
  const heads = Array.from(
    { length: count },
    (_, i) => `GET /decrypt?istk=${istk} HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=${range(i)}\r\n\r\n`,
  );
  const socket = connect(Number(port), hostname, () => socket.write(heads.join('')));
  return socket.on('error', () => undefined);
}

const bytesOf = async ({ lookup }: MintedTransfer) => {
  const text = `SELECT bytes_moved, bytes_told FROM istks WHERE lookup = $1`;
  const [row] = await downloads.sql<{ bytes_moved: number; bytes_told: number }>(text, [lookup]);
  return row ?? { bytes_moved: -1, bytes_told: -1 };
};

describe('pipelined requests', () => {
  it('are answered one by one, in their order', async () => {
    const { istk } = await downloads.stream(file);
    let text = '';
    const socket = pipeline(5, istk, (index) => `0-${index}`);
    socket.on('data', (bytes) => (text += bytes.toString('latin1')));
    await eventually(
      () => Promise.resolve(text.match(/content-length: \d/gi)?.map((header) => Number(header.at(-1)))),
      (lengths) => JSON.stringify(lengths) === '[1,2,3,4,5]',
    );
    socket.destroy();
  });

  it('download one at a time, and end with their connection', async () => {
    const stream = await downloads.stream(file);
    const socket = pipeline(12, stream.istk, () => `0-${SIZE - 1}`).pause();
    await eventually(
      () => bytesOf(stream),
      ({ bytes_moved: bytes }) => bytes > 0,
    );
    // A second download would have started before another connection gets its response.
    await (await downloads.get((await downloads.mint(file)).istk)).arrayBuffer();
    expect((await bytesOf(stream)).bytes_moved).toBeLessThanOrEqual(SIZE);
    socket.destroy();
    await eventually(
      () => bytesOf(stream),
      ({ bytes_moved: moved, bytes_told: told }) => told > 0 && moved === told,
    );
  });

  it('are cut off beyond the queue limit, and do not delay other connections', async () => {
    const { istk } = await downloads.stream(file);
    const socket = pipeline(5_000, istk, () => `0-${SIZE - 1}`).pause();
    const other = await downloads.mint(file);
    const answered = await downloads.get(other.istk);
    expect((await answered.arrayBuffer()).byteLength).toBe(SIZE);
    socket.resume();
    await eventually(
      () => Promise.resolve(socket.destroyed),
      (isCut) => isCut,
    );
  });
});
