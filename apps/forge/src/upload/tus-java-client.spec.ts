import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHUNK_BYTES } from '@vaultsvc/crypto/container';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { forge } from '../service-definition.js';
import { storedContent } from '../testing/stored-file.js';
import { mintTransfer } from '../testing/transfers.js';
import { forgeUrl, tus } from '../testing/uploads.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: URL;
beforeAll(() => void (url = new URL(forgeUrl(service))));

/** What HttpURLConnection of Java 17 adds to each request of tus-java-client, recorded from the wire. */
const javaHeaders = () => [
  'User-Agent: Java/17.0.15',
  `Host: ${url.host}`,
  'Accept: text/html, image/gif, image/jpeg, */*; q=0.2',
  'Connection: keep-alive',
];
const headOf = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

const creation = (istk: string, bytes: number) =>
  headOf(
    `POST /encrypt?istk=${istk} HTTP/1.1`,
    'Tus-Resumable: 1.0.0',
    `Upload-Length: ${bytes}`,
    ...javaHeaders(),
  );

/** HttpURLConnection has no PATCH, so the client sends POST. Android has it. */
const chunkHead = (location: string, offset: number, system: 'Java' | 'Android') =>
  headOf(
    `${system === 'Java' ? 'POST' : 'PATCH'} ${location} HTTP/1.1`,
    'Tus-Resumable: 1.0.0',
    `Upload-Offset: ${offset}`,
    'Content-Type: application/offset+octet-stream',
    'Expect: 100-continue',
    ...(system === 'Java' ? ['X-HTTP-Method-Override: PATCH'] : []),
    ...javaHeaders(),
    'Transfer-Encoding: chunked',
  );

/** Bytes of a write of the client, which flushes each; and of the frames that Java makes of it. */
const WRITE_BYTES = 1_048_576;
const FRAME_BYTES = 4_089;

function* framesOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += WRITE_BYTES) {
    const written = body.subarray(start, start + WRITE_BYTES);
    for (let at = 0; at < written.length; at += FRAME_BYTES) {
      const frame = written.subarray(at, at + FRAME_BYTES);
      yield Buffer.concat([Buffer.from(`${frame.length.toString(16)}\r\n`), frame, Buffer.from('\r\n')]);
    }
  }
  yield Buffer.from('0\r\n\r\n');
}

/** Reads until the end of a response head. */
async function readHead(socket: Socket): Promise<string> {
  let text = '';
  while (!text.includes('\r\n\r\n')) text += String((await once(socket, 'data'))[0]);
  return text;
}

/** Sends one request as the client does, and returns the head of its final response. The client disconnects after each. */
async function exchange(head: string, body?: Buffer): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  socket.write(head);
  const first = await readHead(socket);
  if (body === undefined || !first.startsWith('HTTP/1.1 100 ')) return end(socket, first);
  for (const frame of framesOf(body)) if (!socket.write(frame)) await once(socket, 'drain');
  return end(socket, await readHead(socket));
}

function end(socket: Socket, head: string): string {
  socket.destroy();
  return head;
}

const headerOf = (head: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(head.replaceAll('\r', ''))?.[1] ?? '';
const statusOf = (head: string) => Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));

/** Uploads as `uploadChunk` and `finish` do: a request is opened before the source is read, at its end, too. */
async function uploadAs(system: 'Java' | 'Android', content: Buffer, payloadBytes: number) {
  const transfer = await mintTransfer(harness, { sizeBytes: content.length });
  const location = headerOf(await exchange(creation(transfer.istk, content.length)), 'Location');
  const statuses: number[] = [];
  for (let offset = 0; offset <= content.length; offset += payloadBytes) {
    const body = content.subarray(offset, offset + payloadBytes);
    const response = await exchange(chunkHead(location, offset, system), body);
    statuses.push(statusOf(response));
    if (statuses.at(-1) === 204)
      expect(headerOf(response, 'Upload-Offset')).toBe(String(offset + body.length));
    if (body.length < payloadBytes) break;
  }
  return { transfer, location, statuses };
}

describe('FRG-34 FRG-39: the requests of tus-java-client with payloads of X-Chunk-Size', () => {
  it.each(['Java', 'Android'] as const)(
    'on %s upload a file whose last chunk is full, with an empty request at its end',
    async (system) => {
      const content = randomBytes(CHUNK_BYTES);
      const { transfer, statuses } = await uploadAs(system, content, CHUNK_BYTES);
      expect(statuses).toEqual([204, 204]);
      expect((await storedContent(service, transfer, content.length)).equals(content)).toBe(true);
    },
  );

  it('upload a file of two chunks', async () => {
    const content = randomBytes(CHUNK_BYTES + 5_000);
    const { transfer, statuses } = await uploadAs('Java', content, CHUNK_BYTES);
    expect(statuses).toEqual([204, 204]);
    expect((await storedContent(service, transfer, content.length)).equals(content)).toBe(true);
  });

  it('FRG-11: with the payloads of its default, 10 MiB, are refused before the body, and keep nothing', async () => {
    const content = randomBytes(CHUNK_BYTES + 1);
    const { location, statuses } = await uploadAs('Java', content, 10_485_760);
    expect(statuses[0]).toBe(400);
    expect((await tus(url.origin, 'HEAD', location)).headers['upload-offset']).toBe('0');
  });
});
