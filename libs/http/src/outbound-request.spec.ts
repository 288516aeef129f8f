import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { replyEndlessly } from '@vaultsvc/testing/http';
import { OutboundFailure, sendOutbound, type OutboundRequest } from './outbound-request.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(respond: RequestListener): Promise<URL> {
  const server = createServer(respond);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path`);
}
const send = async (respond: RequestListener, more: Partial<OutboundRequest> = {}) =>
  sendOutbound({ url: await listen(respond), body: 'x', ...more });
const failureOf = (sending: Promise<unknown>) =>
  sending.then(
    () => undefined,
    (error: unknown) => error,
  );
const endless: RequestListener = (_, response) => replyEndlessly(response);

describe('NTF-43 APP-20: a request to a server that is not ours', () => {
  it('sends what it is given, and returns the reply whatever its status', async () => {
    const seen: object[] = [];
    const echo: RequestListener = (request, response) => {
      const { method, url, headers } = request;
      request.on('data', (data: Buffer) =>
        seen.push({
          method,
          url,
          name: headers['x-name'],
          length: headers['content-length'],
          data: String(data),
        }),
      );
      request.on('end', () => response.writeHead(503, { 'X-Back': 'b' }).end('busy'));
    };
    const reply = await send(echo, { headers: { 'X-Name': 'n' }, body: 'é' });
    expect(reply).toMatchObject({ status: 503, body: 'busy', isComplete: true, headers: { 'x-back': 'b' } });
    expect(seen).toEqual([{ method: 'POST', url: '/path', name: 'n', length: '2', data: 'é' }]);
  });

  it('follows no redirect', async () => {
    let requests = 0;
    const moved: RequestListener = (_, response) => {
      requests++;
      response.writeHead(302, { Location: '/elsewhere' }).end();
    };
    expect(await send(moved)).toMatchObject({ status: 302, isComplete: true });
    expect(requests).toBe(1);
  });

  it('reads as much of the reply as is allowed, and tells whether this is all', async () => {
    expect(await send(endless, { replyBytesMax: 1_000 })).toMatchObject({
      body: 'x'.repeat(1_000),
      isComplete: false,
    });
    expect(await send(endless, { replyBytesMax: 0 })).toMatchObject({ status: 200, body: '' });
    const broken: RequestListener = (_, response) => {
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('12345', () => response.destroy());
    };
    expect(await send(broken)).toMatchObject({ status: 200, body: '12345', isComplete: false });
  });

  it('fails without a reply, and tells whether it may have had its effect', async () => {
    const silent: RequestListener = () => {};
    const cut: RequestListener = (request) => void request.socket.destroy();
    expect(await failureOf(send(silent, { timeoutMs: 500 }))).toMatchObject({
      code: 'TIMEOUT',
      isSent: true,
    });
    expect(await failureOf(send(silent, { signal: AbortSignal.timeout(500) }))).toMatchObject({
      code: 'TIMEOUT',
    });
    expect(await failureOf(send(cut))).toMatchObject({ code: 'ECONNRESET', isSent: true });
    const url = await listen(silent);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const failure = await failureOf(sendOutbound({ url }));
    expect(failure).toBeInstanceOf(OutboundFailure);
    expect(failure).toMatchObject({ code: 'ECONNREFUSED', isSent: false });
    expect(String(failure)).not.toContain('127.0.0.1');
  });
});
