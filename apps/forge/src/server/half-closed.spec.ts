import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import { objectKeysOf } from '../testing/stored-file.js';
import { mintTransfer, type MintedTransfer } from '../testing/transfers.js';
import { newUpload, tus } from '../testing/uploads.js';

const SIZE = 4 * 1_024 * 1_024;

let downloads: DownloadFixture;
let file: MintedTransfer;
beforeAll(async () => {
  downloads = await startDownloadFixture();
  file = await downloads.store(Buffer.alloc(SIZE, 'a'));
});
afterAll(() => downloads.harness.stop());

/** Sends the text, closes the sending side at once, and reads to the end. */
function talk(text: string): Promise<string> {
  const { hostname: host, port } = new URL(downloads.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true }, () => socket.end(text));
    const parts: Buffer[] = [];
    socket
      .on('data', (part) => parts.push(part))
      .on('end', () => resolve(Buffer.concat(parts).toString('latin1')))
      .on('error', reject);
  });
}

describe('a client that closes its sending side', () => {
  it('after the request receives the download on which its ISTK was spent', async () => {
    const { istk } = await downloads.mint(file);
    const response = await talk(`GET /decrypt?istk=${istk} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response.split('\r\n\r\n')[1]).toHaveLength(SIZE);
  });

  it('after two requests receives both responses', async () => {
    const { istk } = await downloads.stream(file);
    const head = (end: number) =>
      `GET /decrypt?istk=${istk} HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=0-${end}\r\n\r\n`;
    expect((await talk(head(1) + head(2))).match(/content-length: \d/gi)).toHaveLength(2);
  });

  it('in the middle of a chunk has stored nothing', async () => {
    const transfer = await mintTransfer(downloads.harness, { sizeBytes: 10 });
    const location = await newUpload(downloads.url, transfer.istk, 10);
    const headers = [
      ...['Host: 127.0.0.1', 'Tus-Resumable: 1.0.0', 'Upload-Offset: 0'],
      ...['Content-Type: application/offset+octet-stream', 'Content-Length: 10'],
    ];
    await talk([`PATCH ${location} HTTP/1.1`, ...headers, '', 'half-'].join('\r\n'));
    expect((await tus(downloads.url, 'HEAD', location)).headers['upload-offset']).toBe('0');
    expect(await objectKeysOf(downloads.service, transfer.versionId)).toEqual([]);
  });
});
