import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
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

const PIECE = Buffer.alloc(65_536);
function* endless() {
  for (;;) yield PIECE;
}

/** How a body without an end ends, for a reader who is gone before its first bytes are written, or with them. */
async function endOf(isEarly: boolean): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const asked = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: forge\r\n\r\n');
  const [, response] = (await asked) as [unknown, ServerResponse];
  if (isEarly) socket.resetAndDestroy(); // this process has not been told of it when it writes
  const sink = new ResponseWritable(response, 5_000);
  const ended = pipeline(Readable.from(endless()), sink).catch((error: unknown) => error);
  if (!isEarly) socket.once('readable', () => socket.resetAndDestroy());
  return ended;
}

describe('the body of a download', () => {
  it('FRG-25: ends as that of a caller who went away, whatever the system calls it', async () => {
    const ends = new Set<unknown>();
    for (let round = 0; round < 20; round++) ends.add(((await endOf(round % 2 === 0)) as Error).name);
    expect([...ends]).toEqual([ConnectionClosed.name]);
  });
});
