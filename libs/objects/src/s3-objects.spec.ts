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
import { startS3 } from './testing/s3-server.ts';

/** For tests that wait for the timeout; the others allow for a busy machine. */
const SHORT_TIMEOUT = { timeoutMs: 300 };
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: new Secret('S3RVER') };
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A fake store with the given listener; records requests and open connections. */
async function fakeStore(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  more?: Partial<S3Settings>,
) {
  const seen = { requests: [] as IncomingMessage[], connections: 0 };
  const server: Server = createServer((request, response) => {
    seen.requests.push(request);
    void listener(request, response);
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
  cleanups.push(() => {
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

describe('S3Objects with a failing store', () => {
  it('tries requests three times, but a put once', async () => {
    const { objects, seen } = await fakeStore(refuse(503, 'SlowDown'));
    await expect(objects.find('k')).rejects.toMatchObject(unavailable());
    expect(seen.requests).toHaveLength(3);
    await expect(objects.put('k', endless(100_000), 100_000)).rejects.toMatchObject(unavailable('SlowDown'));
    expect(seen.requests).toHaveLength(4);
  });

  it('destroys the content and closes the connection when the store refuses it', async () => {
    const { objects, seen } = await fakeStore(refuse(500, 'InternalError'));
    const content = new Readable({ read() {} });
    content.push(Buffer.alloc(1_000));
    await expect(objects.put('k', content, 50_000_000)).rejects.toMatchObject(unavailable('InternalError'));
    expect(content.destroyed).toBe(true);
    await until(async () => seen.connections === 0);
  });

  it('throws Unavailable when the store stops reading a content', async () => {
    const { objects } = await fakeStore((request) => request.pause(), SHORT_TIMEOUT);
    const content = endless(50_000_000);
    await expect(objects.put('k', content, 50_000_000)).rejects.toMatchObject(unavailable('Stalled'));
    expect(content.destroyed).toBe(true);
  });

  it('throws Unavailable when the store does not respond to a content', async () => {
    const { objects, seen } = await fakeStore((request) => request.resume(), SHORT_TIMEOUT);
    await expect(objects.put('k', endless(10_000), 10_000)).rejects.toMatchObject(unavailable('Stalled'));
    await until(async () => seen.connections === 0);
  });

  it('throws Unavailable when the store does not respond', async () => {
    const { objects } = await fakeStore(() => {}, SHORT_TIMEOUT);
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

  it('fails a stream when the store stalls in the middle of an object', async () => {
    const { objects, seen } = await fakeStore((_, response) => {
      response.writeHead(200, { 'content-length': 100_000 }).write(Buffer.alloc(50_000));
    }, SHORT_TIMEOUT);
    await expect(buffer(await objects.read('k'))).rejects.toMatchObject(unavailable('Stalled'));
    await until(async () => seen.connections === 0);
  });

  it('fails a stream when the store closes the connection in the middle of an object', async () => {
    const { objects } = await fakeStore((_, response) => {
      response.writeHead(200, { 'content-length': 100_000 });
      response.write(Buffer.alloc(50_000), () => response.destroy());
    });
    await expect(buffer(await objects.read('k'))).rejects.toMatchObject(unavailable('ECONNRESET'));
  });

  it('throws Unavailable when the store is unreachable', async () => {
    const { objects, server } = await fakeStore(() => {});
    server.close();
    await once(server, 'close');
    await expect(objects.find('k')).rejects.toMatchObject(unavailable());
    await expect(objects.put('k', endless(10), 10)).rejects.toMatchObject(unavailable());
  });

  it('distinguishes a store without ranges from an object that is too short', async () => {
    const { objects } = await fakeStore((_, response) =>
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

  it('throws Unavailable when the store deletes only some objects', async () => {
    const reply = '<DeleteResult><Error><Key>k</Key><Code>AccessDenied</Code></Error></DeleteResult>';
    const { objects } = await fakeStore((_, response) => response.writeHead(200).end(reply));
    await expect(objects.deleteMany(['k', 'l'])).rejects.toMatchObject(unavailable('AccessDenied'));
  });

  it('throws Unavailable, not NotFound, without the bucket or with other credentials', async () => {
    const { stop, reading: _, ...place } = await startS3();
    const settings = { ...place, pathStyle: true, credentials };
    const withoutBucket = new S3Objects({ ...settings, bucket: 'other' });
    const otherCredentials = new S3Objects({
      ...settings,
      credentials: { ...credentials, accessKeyId: 'another' },
    });
    cleanups.push(
      () => withoutBucket.close(),
      () => otherCredentials.close(),
      stop,
    );
    await expect(withoutBucket.check()).rejects.toMatchObject(unavailable());
    await expect(withoutBucket.read('k')).rejects.toMatchObject(unavailable('NoSuchBucket'));
    await expect(withoutBucket.put('k', endless(10), 10)).rejects.toMatchObject(unavailable('NoSuchBucket'));
    await expect(otherCredentials.read('k')).rejects.toMatchObject(unavailable('InvalidAccessKeyId'));
  });

  it('throws errors without the message of the store, keys or credentials', async () => {
    const { objects } = await fakeStore(refuse(403, 'AccessDenied'));
    const error = await objects.read('v1/secret').catch((reason: unknown) => reason);
    expect(String(error)).toBe('Unavailable: The object store is unavailable: AccessDenied');
  });
});

/** Blocks this process, as a busy machine does. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('S3Objects does not time out for', () => {
  it('a paused process, which reads a timely response late', async () => {
    const { objects } = await fakeStore((_, response) => {
      block(3 * SHORT_TIMEOUT.timeoutMs);
      response.writeHead(200, { 'content-length': 3 }).end('abc');
    }, SHORT_TIMEOUT);
    expect(await text(await objects.read('k'))).toBe('abc');
    await objects.put('k', endless(10), 10);
  });

  it('a client that sends with pauses', async () => {
    const { objects, seen } = await fakeStore(async (request, response) => {
      await buffer(request);
      response.end();
    }, SHORT_TIMEOUT);
    const content = Readable.from(
      (async function* () {
        for (let i = 0; i < 4; i += 1) {
          yield Buffer.alloc(10_000);
          await delay(2.5 * SHORT_TIMEOUT.timeoutMs);
        }
      })(),
      { objectMode: false },
    );
    await objects.put('k', content, 40_000);
    expect(seen.requests).toHaveLength(1);
  });

  it('a client that reads with pauses', async () => {
    const bytes = randomBytes(5_000_000);
    const { objects } = await fakeStore(
      (_, response) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
      SHORT_TIMEOUT,
    );
    const stream = await objects.read('k');
    await once(stream, 'readable');
    await delay(3 * SHORT_TIMEOUT.timeoutMs);
    expect((await buffer(stream)).equals(bytes)).toBe(true);
  });
});

describe('requests of S3Objects', () => {
  it('contain the plain content with its length, unless checksums are configured', async () => {
    const bodies: string[] = [];
    const listener = async (request: IncomingMessage, response: ServerResponse) => {
      bodies.push(await text(request));
      response.end();
    };
    const { objects, seen } = await fakeStore(listener);
    await objects.put('v1/k', Readable.from(['abc']), 3);
    expect(seen.requests[0]).toMatchObject({ method: 'PUT', headers: { 'content-length': '3' } });
    expect(seen.requests[0]?.url).toMatch(/^\/b\/v1\/k(\?|$)/);
    expect(seen.requests[0]?.headers).not.toHaveProperty('content-encoding');
    const checked = await fakeStore(listener, { checksums: 'WHEN_SUPPORTED' });
    await checked.objects.put('v1/k', Readable.from(['abc']), 3);
    expect(checked.seen.requests[0]?.headers).toMatchObject({
      'content-encoding': 'aws-chunked',
      'x-amz-trailer': 'x-amz-checksum-crc32',
    });
    expect(bodies[0]).toBe('abc');
    expect(bodies[1]).not.toBe('abc');
  });

  it('use more than fifty concurrent connections', async () => {
    const waiting: ServerResponse[] = [];
    const { objects } = await fakeStore((_, response) => waiting.push(response));
    const reads = Array.from({ length: 120 }, () => objects.read('k'));
    await until(async () => waiting.length === 120);
    for (const response of waiting) response.writeHead(200, { 'content-length': 1 }).end('x');
    for (const read of reads) expect(await text(await read)).toBe('x');
  });

  it('of writes have connections of their own while readers occupy all of theirs, and the reverse', async () => {
    const held: ServerResponse[] = [];
    const hold = (method: string) =>
      fakeStore(
        async (request, response) => {
          if (request.method === method) return void held.push(response);
          await buffer(request);
          response.end(request.method === 'GET' ? 'x' : undefined);
        },
        { connectionsMax: 2 },
      );
    const [reading, writing] = [(await hold('GET')).objects, (await hold('PUT')).objects];
    const pending = [
      ...Array.from({ length: 3 }, () => reading.read('k')),
      ...Array.from({ length: 3 }, () => writing.put('k', endless(1), 1)),
    ];
    const ended = Promise.allSettled(pending);
    await until(async () => held.length === 4); // the third of each waits for a connection
    await reading.put('k', endless(10), 10);
    expect(await text(await writing.read('k'))).toBe('x');
    for (const response of held) response.end(response.req.method === 'GET' ? 'x' : undefined);
    await until(async () => held.length === 6);
    for (const response of held.slice(4)) response.end(response.req.method === 'GET' ? 'x' : undefined);
    await ended;
  });
});
