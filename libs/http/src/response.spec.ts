import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sendResponse } from './index.js';

/** Refuses every request before it reads the body. */
const server = createServer((request, response) =>
  sendResponse(request, response, 400, [], Buffer.from('refused')),
);
let client: Socket;

/** Sends the head of a request with a body of so many bytes. */
async function sendHead(bytes: number): Promise<void> {
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined); // the writes and reads below fail then
  await once(client, 'connect');
  client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
}

const send = (bytes: number) =>
  new Promise<void>((resolve, reject) =>
    client.write(Buffer.alloc(bytes), (error) => (error ? reject(error) : resolve())),
  );

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
// The linger time passes when a test advances the clock, however busy the machine is.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => {
  jest.useRealTimers();
  client.destroy();
});
afterAll(() => void server.close());

describe('sendResponse before the request body was read', () => {
  it('reaches a client that sends its whole body before it reads', async () => {
    await sendHead(20_000_000);
    await send(20_000_000);
    const parts: Buffer[] = [];
    for await (const part of client) parts.push(part as Buffer);
    expect(Buffer.concat(parts).toString()).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\nrefused$/s);
  });

  it('cuts off a client that is still sending after two seconds', async () => {
    await sendHead(1_000_000_000_000);
    await once(client, 'data');
    jest.advanceTimersByTime(1_999);
    await send(20_000_000);
    expect(client.destroyed).toBe(false);
    const closed = new Promise((resolve) => client.once('close', resolve));
    jest.advanceTimersByTime(1);
    await Promise.all([closed, send(20_000_000).catch(() => undefined)]);
  });
});
