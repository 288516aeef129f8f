import { afterEach, describe, expect, it } from '@jest/globals';
import { replyEndlessly } from '@vaultsvc/testing/http';
import { cut, ProviderServer, reply, type Respond } from '../testing/provider-server.js';
import { failureOf } from '../testing/sample-notification.js';
import { isRejection, postToProvider, refusal } from './provider-http.js';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function post(respond: Respond, timeoutMs?: number) {
  const server = await ProviderServer.start(respond);
  servers.push(server);
  return postToProvider({ url: new URL(server.origin), headers: {}, body: 'x', timeoutMs });
}

describe('NTF-43: a request to a provider', () => {
  it('returns the reply whatever its status, and follows no redirect', async () => {
    const moved = reply(302, 'moved', { location: 'http://127.0.0.1:1/' });
    expect(await post(moved)).toMatchObject({ status: 302, body: 'moved' });
    expect(servers[0]?.received).toHaveLength(1);
  });

  it('reads 64 KiB of a reply that does not end', async () => {
    expect((await post((response) => replyEndlessly(response))).body).toHaveLength(65_536);
  });

  it('may have been received if there is no reply in time, or the connection breaks', async () => {
    expect(await failureOf(post(() => {}, 2_000))).toMatchObject({ code: 'TIMEOUT', isAnswerLost: true });
    expect(await failureOf(post(cut))).toMatchObject({ code: 'ECONNRESET', isAnswerLost: true });
  });

  it('was not received if nobody listens', async () => {
    const server = await ProviderServer.start();
    const url = new URL(server.origin);
    await server.stop();
    const sending = postToProvider({ url, headers: {}, body: 'x' });
    expect(await failureOf(sending)).toMatchObject({
      code: 'ECONNREFUSED',
      isAnswerLost: false,
      isFinal: false,
    });
  });
});

describe('NTF-43: the failure of a refused request', () => {
  it('has the delay that the provider asked for', () => {
    const of = (retryAfter: string) =>
      refusal({ status: 429, headers: { 'retry-after': retryAfter }, body: 'x' }).retryAfterMs;
    expect([of('7'), of('soon')]).toEqual([7_000, undefined]);
  });

  it('is final for 4xx that ask for no later attempt', () => {
    const statuses = [302, 400, 401, 404, 408, 410, 425, 429, 500, 503];
    expect(statuses.filter(isRejection)).toEqual([400, 401, 404, 410]);
  });

  it('contains no text of the reply', () => {
    const failure = refusal({ status: 400, headers: {}, body: 'no route to ada@example.com' });
    expect(JSON.stringify([failure, failure.message, failure.stack])).not.toContain('ada@');
  });
});
