import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectionError } from './api-error.js';
import { createClient } from './client.js';
import { downloadTicket } from './transfer/download.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Sends ten bytes of a hundred, or nothing at all, and then waits. */
let server: Server;
let url: string;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url !== '/file') return;
    response.writeHead(206, { 'Content-Length': 100, 'Content-Range': 'bytes 0-99/100' });
    response.write('ten bytes.');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => (server.close(), server.closeAllConnections()));

/** Several rounds: what one collection finds unreachable may free more. */
async function afterCollections(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await delay(20);
    collectGarbage();
  }
}

async function asks(path: string): Promise<void> {
  while (!asked.includes(path)) await delay(5);
}

describe('A call that waits while the garbage collector runs', () => {
  it('SDK-03: ends at its time limit', async () => {
    const client = createClient({ url, apiKey: 'vk_test', timeoutSeconds: 1, retry: { attempts: 0 } });
    const failed = client.GET('/v1/me').catch((error: unknown) => error);
    await asks('/v1/me');
    await afterCollections();
    expect(await failed).toBeInstanceOf(ConnectionError);
  });

  it('SDK-03: ends when its caller aborts it', async () => {
    const control = new AbortController();
    const client = createClient({ url, apiKey: 'vk_test' });
    const failed = client.GET('/v1/vaults', { signal: control.signal }).catch((error: unknown) => error);
    await asks('/v1/vaults');
    await afterCollections();
    control.abort(new Error('enough'));
    expect(await failed).toMatchObject({ message: 'enough' });
  });

  it('SDK-09: a download whose content stands still ends when its caller aborts it', async () => {
    const control = new AbortController();
    const ticket = { url: `${url}/file`, size: 100 };
    const reader = downloadTicket(ticket, { signal: control.signal }).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('ten bytes.');
    const failed = reader.read().catch((error: unknown) => error);
    await afterCollections();
    control.abort(new Error('enough'));
    expect(await failed).toMatchObject({ message: 'enough' });
  });
});
