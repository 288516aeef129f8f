import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConnectionClosed } from '@vaultsvc/http';
import { ResponseWritable } from './response-writable.js';

let server: Server;
beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function* endless() {
  for (;;) yield [Buffer.alloc(65_536), Buffer.alloc(65_536)];
}

/** The error of an endless body whose client resets the connection before or after the first write. */
async function errorOfReset(isEarly: boolean): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const requested = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: forge\r\n\r\n');
  const [, response] = (await requested) as [unknown, ServerResponse];
  if (isEarly) socket.resetAndDestroy(); // the write happens before this process notices
  const body = new ResponseWritable(response, 5_000);
  const ended = pipeline(Readable.from(endless()), body).catch((error: unknown) => error);
  if (!isEarly) socket.once('readable', () => socket.resetAndDestroy());
  return ended;
}

describe('ResponseWritable', () => {
  it('sends the chunks of batches in order, counts them, and frees their memory', async () => {
    const { port } = server.address() as AddressInfo;
    const requested = once(server, 'request');
    const received = fetch(`http://127.0.0.1:${port}`).then((answer) => answer.arrayBuffer());
    const [, response] = (await requested) as [unknown, ServerResponse];
    const batches = Array.from({ length: 20 }, (_, batch) =>
      Array.from({ length: 1 + (batch % 8) }, (_, index) => Buffer.alloc(65_536, 8 * batch + index)),
    );
    const bytes = Buffer.concat(batches.flat());
    response.writeHead(200, { 'Content-Length': bytes.length });
    const body = new ResponseWritable(response, 5_000);
    await pipeline(Readable.from(batches), body);
    expect(bytes.equals(Buffer.from(await received))).toBe(true);
    expect(body.sentBytes).toBe(bytes.length);
    expect(batches.flat().filter(({ length }) => length > 0)).toEqual([]);
  });

  it('FRG-25: reports a reset connection as ConnectionClosed, whatever the error of the system', async () => {
    const ends = new Set<unknown>();
    for (let round = 0; round < 20; round++) ends.add(((await errorOfReset(round % 2 === 0)) as Error).name);
    expect([...ends]).toEqual([ConnectionClosed.name]);
  });

  it('does not free a batch whose write has failed, because it may be under way', async () => {
    const refused = (_: Buffer, done?: (error: Error) => void) => done?.(new Error('EPIPE'));
    const unused = { setTimeout() {}, cork() {}, uncork() {}, destroy() {}, writableFinished: false };
    const response = Object.assign(new EventEmitter(), unused, { write: refused });
    const batch = [Buffer.alloc(65_536), Buffer.alloc(65_536)];
    const body = new ResponseWritable(response as unknown as ServerResponse, 5_000);
    await expect(pipeline(Readable.from([batch]), body)).rejects.toThrow(ConnectionClosed);
    expect(batch.map(({ length }) => length)).toEqual([65_536, 65_536]);
  });

  it('fails a body that is shorter than its Content-Length, and closes the connection', async () => {
    const { port } = server.address() as AddressInfo;
    const requested = once(server, 'request');
    const received = fetch(`http://127.0.0.1:${port}`).then((answer) => answer.arrayBuffer());
    const [, response] = (await requested) as [unknown, ServerResponse];
    response.writeHead(200, { 'Content-Length': 65_537 });
    const sent = pipeline(Readable.from([[Buffer.alloc(65_536)]]), new ResponseWritable(response, 5_000));
    await expect(sent).rejects.toThrow('does not match the content-length of 65537');
    await expect(received).rejects.toThrow('terminated');
  });
});
