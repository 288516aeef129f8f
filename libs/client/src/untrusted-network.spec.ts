import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError, ConnectionError } from './api-error.js';
import { createClient } from './client.js';
import { RedirectError } from './redirect-error.js';
import { callSession, isSignedOut } from './session/session-calls.js';
import { page, ScriptedServer, success } from './testing/scripted-server.js';
import { assertNotRedirected } from './transfer/assert-not-redirected.js';
import { download } from './transfer/download.js';
import { upload } from './transfer/upload.js';

let server: ScriptedServer;
let other: ScriptedServer;
beforeAll(
  async () => void ([server, other] = await Promise.all([ScriptedServer.start(), ScriptedServer.start()])),
);
beforeEach(() => {
  server.script(success({}));
  other.script(success({}));
});
afterAll(() => Promise.all([server.stop(), other.stop()]));

const client = () =>
  createClient({ url: server.url, apiKey: 'vk_test', vat: 'vat_1', retry: { attempts: 1 } });
const vault = () => ({ vaultId: 'vlt_1', client: client() });
const redirect = (status: number, path = '/') => ({ status, headers: { Location: `${other.url}${path}` } });
const between = (status: number, url = server.url) =>
  expect.objectContaining({
    message: expect.stringMatching(new RegExp(`between answered.*status ${status} from ${url}\\.`)),
  });
const thrownBy = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Announces transfers that use this URL. */
function announce(url: string): void {
  const ticket = { ingot_id: 'ing_1', name: 'a', content_type: 'text/plain', size_bytes: 3 };
  server.script(success({ ...ticket, download_url: url, forge_url: url }));
}

describe('A redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'SDK-05 CLI-02: of a call is refused with %i, and both origins are named',
    async (status) => {
      server.script(redirect(status, '/v1/vaults/vlt_1/unseal'));
      const params = { path: { vault_id: 'vlt_1' } };
      const call = client().POST('/v1/vaults/{vault_id}/unseal', { params, body: { vmk: 'vmk_1' } });
      const error = await thrownBy(call);
      expect(error).toBeInstanceOf(RedirectError);
      expect(error).toMatchObject({ origin: server.url, target: other.url });
      expect((error as Error).message).toContain(`${server.url} redirects to ${other.url}.`);
      expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
    },
  );

  it('SDK-05: of a call to the same origin is refused too', async () => {
    server.script({ status: 307, headers: { Location: '/v2/me' } });
    expect(await thrownBy(client().GET('/v1/me'))).toMatchObject({ target: server.url });
    expect(server.requests).toHaveLength(1);
  });

  it('SDK-05: of the renewal of a session is refused at once', async () => {
    server.script(redirect(308));
    const renewal = callSession({ url: server.url }, '/v1/auth/refresh', { refresh_token: 'rt_1' }, {});
    expect(await thrownBy(renewal)).toBeInstanceOf(RedirectError);
    expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it('SDK-05: of a download or an upload is refused, and no transfer URL is in the error', async () => {
    const forge = await ScriptedServer.start();
    announce(`${forge.url}/secret`);
    forge.script(redirect(307, '/secret'));
    const { body } = await download(vault(), 'ing_1');
    const errors = [
      await thrownBy(body.getReader().read()),
      await thrownBy(upload(vault(), 'abc', { name: 'a' })),
    ];
    for (const error of errors) {
      expect(error).toMatchObject({ name: 'RedirectError', origin: forge.url, target: other.url });
      expect((error as Error).message).not.toContain('secret');
    }
    expect(other.requests).toHaveLength(0);
    await forge.stop();
  });
});

describe('A redirect that a browser has followed', () => {
  const sent = (url: string, responseURL: string) => ({
    getURL: () => url,
    getUnderlyingObject: () => ({ responseURL }),
  });

  it('SDK-05: ends an upload after the response, with both origins and without the secret', () => {
    const request = sent('https://forge.test/encrypt?istk=secret', 'https://evil.test/x?istk=secret');
    const refusal = expect.objectContaining({
      name: 'RedirectError',
      message: expect.not.stringContaining('secret'),
      origin: 'https://forge.test',
      target: 'https://evil.test',
    });
    const thrown = () => {
      try {
        assertNotRedirected(request);
        return undefined;
      } catch (error) {
        return error;
      }
    };
    expect(thrown()).toEqual(refusal);
  });

  it('SDK-05: is none within an origin, after a failure, or in Node', () => {
    assertNotRedirected(sent('https://forge.test/up_1', 'https://forge.test/up_1'));
    assertNotRedirected(sent('https://forge.test/up_1', ''));
    assertNotRedirected({ getURL: () => 'https://forge.test', getUnderlyingObject: () => null });
  });
});

describe('A page in place of an answer', () => {
  it.each([200, 403, 404, 511])(
    'SDK-02: says with status %i that something between has answered',
    async (status) => {
      for (const type of ['text/html; charset=utf-8', 'application/json', '']) {
        server.script(page(status, type));
        const error = await thrownBy(client().GET('/v1/me'));
        expect(error).toBeInstanceOf(ApiError);
        expect(error).toMatchObject({ status, code: 'UNKNOWN' });
        expect(error).toEqual(between(status));
      }
    },
  );

  it('SDK-02: says so for a success without any content, and for one that is no JSON', async () => {
    const answers: readonly { headers: Record<string, string>; text?: string }[] = [
      { headers: { 'Content-Length': '0' } },
      { headers: { 'Content-Type': 'text/plain' } },
      { headers: { 'Content-Type': 'text/plain' }, text: 'OK' },
    ];
    const calls = [
      () => client().GET('/v1/me'),
      () => client().POST('/v1/sparks', { body: { payload: 'x' } }),
    ];
    for (const call of calls)
      for (const answer of answers) {
        server.script({ status: 200, ...answer });
        expect(await thrownBy(call())).toEqual(between(200));
      }
    server.script({ status: 204 });
    const removal = client().DELETE('/v1/sparks/{spark_id}', { params: { path: { spark_id: 'spk_1' } } });
    expect(await thrownBy(removal)).toBeUndefined();
  });

  it('SDK-02: is not passed as the content of a stream', async () => {
    server.script(page(200));
    expect(await thrownBy(client().stream('/v1/audit-logs/export'))).toEqual(between(200));
  });

  it('SDK-07: does not sign out a session', async () => {
    server.script(page(401));
    const error = await thrownBy(callSession({ url: server.url }, '/v1/auth/refresh', {}, {}));
    expect([isSignedOut(error), error]).toEqual([false, between(401)]);
  });

  it('SDK-08 SDK-09: ends a transfer with its origin, and without its URL', async () => {
    const forge = await ScriptedServer.start();
    announce(`${forge.url}/secret`);
    for (const status of [200, 403, 404]) {
      forge.script(page(status));
      const { body } = await download(vault(), 'ing_1');
      expect(await thrownBy(body.getReader().read())).toEqual(between(status, forge.url));
      expect(await thrownBy(upload(vault(), 'abc', { name: 'a' }))).toEqual(between(status, forge.url));
    }
    await forge.stop();
  });
});

describe('A server that cannot be reached', () => {
  it('SDK-02: is named in the error', async () => {
    const gone = await ScriptedServer.start();
    await gone.stop();
    const error = await thrownBy(createClient({ url: gone.url, retry: { attempts: 0 } }).GET('/v1/me'));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ origin: gone.url, message: `There was no response from ${gone.url}.` });
  });
});
