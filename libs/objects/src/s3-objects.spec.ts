import { afterEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { Secret } from '@vaultsvc/config';
import { until } from '@vaultsvc/testing/waiting';
import { S3Objects, type S3Settings } from './index.js';
import { startS3 } from './testing/s3-server.mjs';

/** For a store that shall be given up; from the others an answer may take as long as a busy machine needs. */
const IMPATIENT = { timeoutMs: 300 };
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: new Secret('S3RVER') };
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A store that answers as the test says; counts requests and open connections. */
async function storeThat(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  more?: Partial<S3Settings>,
) {
  const seen = { requests: [] as IncomingMessage[], connections: 0 };
  const server: Server = createServer((request, response) => {
    seen.requests.push(request);
    void answer(request, response);
  });
  server.on('connection', (socket) => {
    seen.connections += 1;
    socket.once('close', () => (seen.connections -= 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = {
    bucket: 'b',
    region: 'us-east-1',
    endpoint,
    pathStyle: true,
    credentials,
    timeoutMs: 10_000,
  };
  const objects = new S3Objects({ ...settings, ...more });
  ends.push(() => {
    objects.close();
    server.closeAllConnections();
    server.close();
  });
  return { objects, seen, server };
}

const refuse = (status: number, code: string) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>key v1/secret</Message></Error>`);
};
const unavailable = (reason: unknown = expect.any(String)) => ({ name: 'Unavailable', reason });
const endless = (bytes: number) => {
  let left = bytes;
  return new Readable({
    read(size) {
      const step = Math.min(size, left);
      left -= step;
      this.push(step > 0 ? Buffer.alloc(step) : null);
    },
  });
};

describe('objects in S3: a store that fails', () => {
  it('is asked three times for what may be asked again, and once for a content', async () => {
    const { objects, seen } = await storeThat(refuse(503, 'SlowDown'));
    await expect(objects.find('k')).rejects.toMatchObject(unavailable());
    expect(seen.requests).toHaveLength(3);
    await expect(objects.put('k', endless(100_000), 100_000)).rejects.toMatchObject(unavailable('SlowDown'));
    expect(seen.requests).toHaveLength(4);
  });

  it('and refuses a content in the middle ends the client stream and the connection', async () => {
    const { objects, seen } = await storeThat(refuse(500, 'InternalError'));
    const content = new Readable({ read() {} });
    content.push(Buffer.alloc(1_000));
    await expect(objects.put('k', content, 50_000_000)).rejects.toMatchObject(unavailable('InternalError'));
    expect(content.destroyed).toBe(true);
    await until(async () => seen.connections === 0);
  });

  it('and takes no more of a content is given up', async () => {
    const { objects } = await storeThat((request) => request.pause(), IMPATIENT);
    const content = endless(50_000_000);
    await expect(objects.put('k', content, 50_000_000)).rejects.toMatchObject(unavailable('Stalled'));
    expect(content.destroyed).toBe(true);
  });

  it('and takes a content without an answer is given up', async () => {
    const { objects, seen } = await storeThat((request) => request.resume(), IMPATIENT);
    await expect(objects.put('k', endless(10_000), 10_000)).rejects.toMatchObject(unavailable('Stalled'));
    await until(async () => seen.connections === 0);
  });

  it('and does not answer is given up', async () => {
    const { objects } = await storeThat(() => {}, IMPATIENT);
    for (const attempt of [
      () => objects.read('k'),
      () => objects.find('k'),
      () => objects.delete('k'),
      () => objects.deleteMany(['k']),
      () => objects.list({ prefix: '' }),
      () => objects.check(),
    ])
      await expect(attempt()).rejects.toMatchObject(unavailable('Timeout'));
  });

  it('and stops in the middle of an object fails its reader', async () => {
    const { objects, seen } = await storeThat((_, response) => {
      response.writeHead(200, { 'content-length': 100_000 }).write(Buffer.alloc(50_000));
    }, IMPATIENT);
    await expect(buffer(await objects.read('k'))).rejects.toMatchObject(unavailable('Stalled'));
    await until(async () => seen.connections === 0);
  });

  it('and hangs up in the middle of an object fails its reader', async () => {
    const { objects } = await storeThat((_, response) => {
      response.writeHead(200, { 'content-length': 100_000 });
      response.write(Buffer.alloc(50_000), () => response.destroy());
    });
    await expect(buffer(await objects.read('k'))).rejects.toMatchObject(unavailable('ECONNRESET'));
  });

  it('and is not there is Unavailable', async () => {
    const { objects, server } = await storeThat(() => {});
    server.close();
    await once(server, 'close');
    await expect(objects.find('k')).rejects.toMatchObject(unavailable());
    await expect(objects.put('k', endless(10), 10)).rejects.toMatchObject(unavailable());
  });

  it('and knows no ranges is told from an object that is too short', async () => {
    const { objects } = await storeThat((_, response) =>
      response
        .writeHead(200, { 'content-length': 10, 'last-modified': new Date().toUTCString() })
        .end(Buffer.alloc(10)),
    );
    await expect(objects.read('k', { start: 2, end: 4 })).rejects.toMatchObject(unavailable('NoRanges'));
    await expect(objects.read('k', { start: 2, end: 14 })).rejects.toMatchObject({
      name: 'WrongLength',
      actual: 10,
    });
  });

  it('and deletes some only says so', async () => {
    const answer = '<DeleteResult><Error><Key>k</Key><Code>AccessDenied</Code></Error></DeleteResult>';
    const { objects } = await storeThat((_, response) => response.writeHead(200).end(answer));
    await expect(objects.deleteMany(['k', 'l'])).rejects.toMatchObject(unavailable('AccessDenied'));
  });

  it('without the bucket, or with other credentials, is Unavailable and never "not found"', async () => {
    const { stop, reading: _, ...place } = await startS3();
    const settings = { ...place, pathStyle: true, credentials };
    const lost = new S3Objects({ ...settings, bucket: 'other' });
    const foreign = new S3Objects({ ...settings, credentials: { ...credentials, accessKeyId: 'another' } });
    ends.push(
      () => lost.close(),
      () => foreign.close(),
      stop,
    );
    await expect(lost.check()).rejects.toMatchObject(unavailable());
    await expect(lost.read('k')).rejects.toMatchObject(unavailable('NoSuchBucket'));
    await expect(lost.put('k', endless(10), 10)).rejects.toMatchObject(unavailable('NoSuchBucket'));
    await expect(foreign.read('k')).rejects.toMatchObject(unavailable('InvalidAccessKeyId'));
  });

  it('shows in no words of the error, and no credential in it', async () => {
    const { objects } = await storeThat(refuse(403, 'AccessDenied'));
    const error = await objects.read('v1/secret').catch((reason: unknown) => reason);
    expect(String(error)).toBe('Unavailable: The object store is unavailable: AccessDenied');
  });
});

/** A machine that has no time for this process. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('objects in S3: who is slow is not cut by the store', () => {
  it('a process that stood still itself, and reads late what the store answers in time', async () => {
    const { objects } = await storeThat((_, response) => {
      standStill(3 * IMPATIENT.timeoutMs);
      response.writeHead(200, { 'content-length': 3 }).end('abc');
    }, IMPATIENT);
    expect(await text(await objects.read('k'))).toBe('abc');
    await objects.put('k', endless(10), 10);
  });

  it('a client who sends with pauses', async () => {
    const { objects, seen } = await storeThat(async (request, response) => {
      await buffer(request);
      response.end();
    }, IMPATIENT);
    const content = Readable.from(
      (async function* () {
        for (let i = 0; i < 4; i += 1) {
          yield Buffer.alloc(10_000);
          await delay(2.5 * IMPATIENT.timeoutMs);
        }
      })(),
      { objectMode: false },
    );
    await objects.put('k', content, 40_000);
    expect(seen.requests).toHaveLength(1);
  });

  it('a reader who reads with pauses', async () => {
    const bytes = randomBytes(5_000_000);
    const { objects } = await storeThat(
      (_, response) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
      IMPATIENT,
    );
    const stream = await objects.read('k');
    await once(stream, 'readable');
    await delay(3 * IMPATIENT.timeoutMs);
    expect((await buffer(stream)).equals(bytes)).toBe(true);
  });
});

describe('objects in S3: what is sent', () => {
  it('is the plain content with its length, unless checksums are asked for', async () => {
    const bodies: string[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      bodies.push(await text(request));
      response.end();
    };
    const { objects, seen } = await storeThat(answer);
    await objects.put('v1/k', Readable.from(['abc']), 3);
    expect(seen.requests[0]).toMatchObject({ method: 'PUT', headers: { 'content-length': '3' } });
    expect(seen.requests[0]?.url).toMatch(/^\/b\/v1\/k(\?|$)/);
    expect(seen.requests[0]?.headers).not.toHaveProperty('content-encoding');
    const checked = await storeThat(answer, { checksums: 'WHEN_SUPPORTED' });
    await checked.objects.put('v1/k', Readable.from(['abc']), 3);
    expect(checked.seen.requests[0]?.headers).toMatchObject({
      'content-encoding': 'aws-chunked',
      'x-amz-trailer': 'x-amz-checksum-crc32',
    });
    expect(bodies[0]).toBe('abc');
    expect(bodies[1]).not.toBe('abc');
  });

  it('goes through more than fifty connections at once', async () => {
    const waiting: ServerResponse[] = [];
    const { objects } = await storeThat((_, response) => waiting.push(response));
    const reads = Array.from({ length: 120 }, () => objects.read('k'));
    await until(async () => waiting.length === 120);
    for (const response of waiting) response.writeHead(200, { 'content-length': 1 }).end('x');
    for (const read of reads) expect(await text(await read)).toBe('x');
  });
});
