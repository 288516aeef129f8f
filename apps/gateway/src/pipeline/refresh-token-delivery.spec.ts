import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, setCookieOf, retryRateLimited, type ApiResponse } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import * as widgets from '../testing/test-operations.js';
import {
  isCounted,
  newSession,
  newSigner,
  fixtureGateway,
  fixtureSettings,
} from '../testing/gateway-fixture.js';

const API_ORIGIN = 'https://api.test';
const WEB = { 'X-VK-Client': 'web' };
const COOKIE = '__Host-vk_refresh';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  const settings = { ...fixtureSettings, API_ORIGIN };
  url = urlOf(await harness.start(fixtureGateway, settings));
});

type Headers = Readonly<Record<string, string>>;
const begin = (text: string, headers?: Headers) =>
  api(url).call(widgets.beginSession, { body: { text } }, headers);
const renew = (body: object | undefined, headers?: Headers) =>
  api(url).send({ method: 'POST', target: '/v1/widget-sessions/renew', body, headers });
const end = (body: object | undefined, headers?: Headers) =>
  api(url).send({ method: 'POST', target: '/v1/widget-sessions/end', body, headers });
const cookie = (value: string) => ({ Cookie: `${COOKIE}=${value}` });
/** The answer to a browser's renewal with these header lines, which are sent in Latin-1. */
const renewRaw = (lines: string): Promise<string> =>
  retryRateLimited(
    () => renewOnce(lines),
    (text) => text.startsWith('HTTP/1.1 429 '),
  );
const renewOnce = (lines: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const head = `POST /v1/widget-sessions/renew HTTP/1.1\r\nHost: 127.0.0.1\r\nX-VK-Client: web\r\n${lines}`;
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`${head}Content-Length: 0\r\nConnection: close\r\n\r\n`, 'latin1'),
    );
    let text = '';
    socket
      .on('data', (data) => (text += data.toString()))
      .on('end', () => resolve(text))
      .on('error', reject);
  });
const lastCall = () => fakes.calls.at(-1);

const expectInCookie = (answer: ApiResponse, value: string) => {
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.data).not.toHaveProperty('refresh_token');
  expect(answer.body.toString()).not.toContain(value);
  expect(setCookieOf(answer)?.value).toBe(value);
};
const expectInBody = (answer: ApiResponse, value: string) => {
  expect(answer).toMatchObject({ status: 200, data: { refresh_token: value } });
  expect(answer.headers['set-cookie']).toBeUndefined();
};
/** A 401 may belong to an older tab, and must not sign the other tabs out. */
const expectCookieUnchanged = (answer: ApiResponse, status: number) => {
  expect(answer.status).toBe(status);
  expect(answer.headers['set-cookie']).toBeUndefined();
};

describe('AUTH-28 AUTH-29 AUTH-30: the refresh token of a new session', () => {
  it('AUTH-28 TRAP 65: goes into the cookie of a browser, and the answer has no such property', async () => {
    const answer = await begin('vkr_one', WEB);
    expect(Object.keys(answer.data ?? {})).toEqual(['access_token']);
    expectInCookie(answer, 'vkr_one');
  });

  it('AUTH-17 AUTH-29: goes into a host-locked cookie: Secure, HttpOnly, SameSite=Strict, Path=/, 30 days, no Domain', async () => {
    const { headers } = await begin('vkr_one', WEB);
    expect(headers['set-cookie']).toEqual([
      '__Host-vk_refresh=vkr_one; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000',
    ]);
  });

  it('AUTH-30: goes into the answer to other clients, without a cookie, whatever cookie they send', async () => {
    expectInBody(await begin('vkr_two'), 'vkr_two');
    expectInBody(await begin('vkr_two', cookie('vkr_one')), 'vkr_two');
  });

  it('AUTH-28: goes into the cookie also when an identity completes its sign-up', async () => {
    const identity = { kind: 'identity' as const, accountId: null, userId: newId('idn_') };
    const { jwt } = await newSession(fakes, await newSigner(fakes), identity, {
      claims: { iss: API_ORIGIN },
    });
    const promote = (headers?: Headers) =>
      api(url, { jwt }).call(widgets.promoteSession, { body: { text: 'vkr_full' } }, headers);
    expectInCookie(await promote(WEB), 'vkr_full');
    const expected = { client: { delivery: 'cookie' }, credential: { kind: 'identity' } };
    expect(lastCall()?.context).toMatchObject(expected);
    expectInBody(await promote(), 'vkr_full');
  });

  it.each(['web', 'WEB', ' Web '])('goes into the cookie for X-VK-Client "%s"', async (marker) => {
    expectInCookie(await begin('vkr_one', { 'X-VK-Client': marker }), 'vkr_one');
  });

  it.each(['', 'webb', 'web,web', 'web; v=1', 'mobile', 'true', '"web"'])(
    'goes into the answer for X-VK-Client "%s"',
    async (marker) => {
      expectInBody(await begin('vkr_one', { 'X-VK-Client': marker }), 'vkr_one');
    },
  );
});

describe('AUTH-14 AUTH-31 AMB-45: a renewal', () => {
  it('AUTH-14 AUTH-31: of a browser uses the token in the cookie and replaces it by the next one', async () => {
    expectInCookie(await renew(undefined, { ...WEB, ...cookie('vkr_a') }), 'vkr_a-next');
    expectInCookie(await renew({}, { ...WEB, ...cookie('vkr_a') }), 'vkr_a-next');
    expect(lastCall()?.input).toEqual({ refresh_token: 'vkr_a' });
  });

  it('AMB-45: of a browser ignores the body, with the cookie and without', async () => {
    expectInCookie(await renew({ refresh_token: 'vkr_b' }, { ...WEB, ...cookie('vkr_a') }), 'vkr_a-next');
    expectCookieUnchanged(await renew({ refresh_token: 'vkr_b' }, WEB), 401);
    expect(lastCall()).toMatchObject({ operation: 'renew', input: {} });
    expect(lastCall()?.input).not.toHaveProperty('refresh_token');
  });

  it('AMB-45: of another client ignores the cookie', async () => {
    expectInBody(await renew({ refresh_token: 'vkr_b' }, cookie('vkr_a')), 'vkr_b-next');
    const answer = await renew(undefined, cookie('vkr_a'));
    expectCookieUnchanged(answer, 401);
    expect(answer.error?.code).toBe('AUTHENTICATION_ERROR');
    expect(lastCall()?.input).not.toHaveProperty('refresh_token');
  });

  it('OPEN-59: without cookie and body is 401 AUTHENTICATION_ERROR for both kinds of client', async () => {
    for (const headers of [{}, WEB]) {
      const answer = await renew(undefined, headers);
      expectCookieUnchanged(answer, 401);
      expect(answer.error?.code).toBe('AUTHENTICATION_ERROR');
    }
  });

  it('AUTH-19 AUTH-20: passes delivery and user agent to auth, as each session operation does', async () => {
    const agent = { 'User-Agent': 'test/1.0' };
    for (const call of [() => begin('t', { ...WEB, ...agent }), () => renew({}, { ...WEB, ...agent })]) {
      await call();
      expect(lastCall()?.context.client).toEqual({ delivery: 'cookie', userAgent: 'test/1.0' });
    }
    for (const call of [() => begin('t', agent), () => renew({}, agent), () => end({}, agent)]) {
      await call();
      expect(lastCall()?.context.client).toEqual({ delivery: 'body', userAgent: 'test/1.0' });
    }
  });

  it('differs from other operations, which pass no client', async () => {
    await api(url).call(widgets.useWidgetPublicly, { body: { text: 'a', size: 1 } }, WEB);
    expect(lastCall()?.context).not.toHaveProperty('client');
  });

  it.each([
    ['of 300 characters', `User-Agent: ${'a'.repeat(300)}\r\n`, 'a'.repeat(256)],
    ['with C1 controls and a tab', `User-Agent: a\u0085\u009bb\tc\r\n`, 'abc'],
    ['of controls only', 'User-Agent: \u0080\r\n', null],
    ['with Latin-1 characters', 'User-Agent: é\r\n', 'é'],
    ['given twice', 'User-Agent: a\r\nUser-Agent: b\r\n', 'a'],
    ['absent', '', null],
  ])('passes on a user agent %s', async (_, line, userAgent) => {
    await renewRaw(line);
    expect(lastCall()?.context.client).toEqual({ delivery: 'cookie', userAgent });
  });

  it('with a repeated X-VK-Client is not that of a browser, and ignores the cookie', async () => {
    expect(await renewRaw(`X-VK-Client: web\r\nCookie: ${COOKIE}=a\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(lastCall()?.context.client?.delivery).toBe('body');
  });
});

describe('AUTH-25 AUTH-26: a sign-out', () => {
  it('AUTH-25: of a browser deletes the cookie and what pages have stored, also with an invalid or absent one', async () => {
    for (const given of [cookie('vkr_a'), cookie('junk'), {}]) {
      const answer = await end(undefined, { ...WEB, ...given });
      expect(answer.status).toBe(204);
      expect(answer.headers['set-cookie']).toEqual([
        '__Host-vk_refresh=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
      ]);
      expect(answer.headers['clear-site-data']).toBe('"storage"');
    }
  });

  it('AUTH-25 AMB-45: of a browser uses the cookie, or the body without a cookie', async () => {
    await end({ refresh_token: 'vkr_b' }, { ...WEB, ...cookie('vkr_a') });
    expect(lastCall()?.input).toEqual({ refresh_token: 'vkr_a' });
    expect(setCookieOf(await end({ refresh_token: 'vkr_b' }, WEB))?.value).toBe('');
    expect(lastCall()?.input).toEqual({ refresh_token: 'vkr_b' });
  });

  it('AUTH-30: of another client uses the body only and sets no cookie', async () => {
    expectCookieUnchanged(await end({ refresh_token: 'vkr_b' }, cookie('vkr_a')), 204);
    expect(lastCall()?.input).toEqual({ refresh_token: 'vkr_b' });
    expect((await end(undefined, cookie('vkr_a'))).headers).not.toHaveProperty('clear-site-data');
    expectCookieUnchanged(await end(undefined, cookie('vkr_a')), 204);
    expect(lastCall()?.input).toEqual({});
  });
});

describe('AUTH-28: an error response leaves the cookie unchanged', () => {
  it.each([
    ['REFRESH_TOKEN_INVALID', 401, 'UNAUTHORIZED'],
    ['TOKEN_REPLAY', 401, 'TOKEN_REPLAY'],
    ['INTERNAL_ERROR', 500, 'INTERNAL_ERROR'],
  ])('%s', async (token, status, code) => {
    const answer = await renew(undefined, { ...WEB, ...cookie(token) });
    expectCookieUnchanged(answer, status);
    expect(answer.error?.code).toBe(code);
  });

  it('also of a failed sign-out, which can then be retried', async () => {
    expectCookieUnchanged(await end(undefined, { ...WEB, ...cookie('bug') }), 500);
  });

  it.each(['a; Domain=evil.test', 'a\r\nSet-Cookie: b=c', 'a,b', 'é', '', 'tokenless'])(
    'also for the token %j of a service, which is 500 and sets no header',
    async (text) => {
      expectCookieUnchanged(await begin(text, WEB), 500);
    },
  );
});

describe('OPEN-59: origins that may use the session cookie', () => {
  const calls: [string, (headers: Headers) => Promise<ApiResponse>][] = [
    ['opening', (headers) => begin('vkr_one', { ...WEB, ...headers })],
    ['renewing', (headers) => renew(undefined, { ...WEB, ...cookie('vkr_a'), ...headers })],
    ['ending', (headers) => end(undefined, { ...WEB, ...cookie('vkr_a'), ...headers })],
  ];
  describe.each(calls)('%s', (_, call) => {
    it.each([
      ['another site', { Origin: 'https://evil.test' }],
      ['a sandboxed page or a local file', { Origin: 'null' }],
      ['an empty origin', { Origin: '' }],
      ['another scheme', { Origin: 'http://app.test' }],
      ['another port', { Origin: 'https://app.test:8443' }],
      ['another case', { Origin: 'https://APP.test' }],
      ['a longer name', { Origin: 'https://app.test.evil.test' }],
      ['a path', { Origin: 'https://app.test/' }],
      ['two origins', { Origin: 'https://app.test, https://evil.test' }],
      [
        'a listed page called from another site',
        { Origin: 'https://app.test', 'Sec-Fetch-Site': 'cross-site' },
      ],
      ['another site without Origin', { 'Sec-Fetch-Site': 'cross-site' }],
      ['an address that was typed', { 'Sec-Fetch-Site': 'none' }],
      ['an empty Sec-Fetch-Site', { 'Sec-Fetch-Site': '' }],
    ])('from %s is 403 without a call to auth, and the cookie stays', async (__, headers) => {
      const callsBefore = fakes.calls.length;
      const answer = await call(headers);
      expectCookieUnchanged(answer, 403);
      expect(answer.error).toEqual({
        code: 'FORBIDDEN',
        message: 'Pages of this origin may not use browser sessions.',
        details: { reason: 'ORIGIN_REFUSED', docs: 'https://api.test/docs/errors#ORIGIN_REFUSED' },
      });
      expect(fakes.calls).toHaveLength(callsBefore);
    });

    it.each([
      ['a listed origin', { Origin: 'https://app.test' }],
      ['a listed origin of the same site', { Origin: 'https://app.test', 'Sec-Fetch-Site': 'same-site' }],
      ["the API's own origin", { Origin: API_ORIGIN, 'Sec-Fetch-Site': 'same-origin' }],
      ['a client without these headers', {}],
    ])('from %s is allowed', async (__, headers) => {
      const answer = await call(headers);
      expect(answer.status).toBeLessThan(300);
      expect(setCookieOf(answer)).toBeDefined();
    });
  });

  it('are not checked for other clients, for which no cookie is read or set', async () => {
    expectInBody(await renew({ refresh_token: 'vkr_b' }, { Origin: 'https://evil.test' }), 'vkr_b-next');
  });

  it('AMB-13: are checked after 413 and malformed JSON, and before validation', async () => {
    const foreign = { ...WEB, Origin: 'https://evil.test' };
    const post = (body: string) =>
      api(url).send({ method: 'POST', target: '/v1/widget-sessions', body, headers: foreign });
    expect((await post('a'.repeat(65_537))).status).toBe(413);
    expect((await post('{')).status).toBe(400);
    expect((await post('{"text":5}')).status).toBe(403);
  });
});

describe('OPEN-54: CORS lets a page of a listed origin read a session response', () => {
  const page = { ...WEB, Origin: 'https://app.test' };

  it('AUTH-28: after a preflight, which is not counted, calls no service and changes no cookie', async () => {
    const callsBefore = fakes.calls.length;
    const preflight = {
      Origin: 'https://app.test',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-vk-client',
      ...cookie('vkr_a'),
    };
    const answer = await api(url).send({
      method: 'OPTIONS',
      target: '/v1/widget-sessions/renew',
      headers: preflight,
    });
    expectCookieUnchanged(answer, 204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.test',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringMatching(/Content-Type.*X-VK-Client/),
    });
    expect(fakes.calls).toHaveLength(callsBefore);
    const foreign = { ...preflight, Origin: 'https://evil.test' };
    const refused = await api(url).send({
      method: 'OPTIONS',
      target: '/v1/widget-sessions/renew',
      headers: foreign,
    });
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    expect(refused.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it.each([
    ['200', () => renew(undefined, { ...page, ...cookie('vkr_a') }), 200],
    ['204', () => end(undefined, page), 204],
    ['400', () => renew({ refresh_token: 5 }, page), 400],
    ['401', () => renew(undefined, page), 401],
    ['403', () => renew(undefined, { ...page, 'Sec-Fetch-Site': 'cross-site' }), 403],
    ['413', () => renew({ refresh_token: 'a'.repeat(65_536) }, page), 413],
    ['500', () => end(undefined, { ...page, ...cookie('bug') }), 500],
  ])('of status %s', async (_, call, status) => {
    expect(await call()).toMatchObject({
      status,
      headers: {
        'access-control-allow-origin': 'https://app.test',
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
      },
    });
  });

  it('and not a page of another origin', async () => {
    const { headers } = await renew(undefined, { ...WEB, Origin: 'https://evil.test' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('OPEN-55: but not to a HEAD, which is 404, calls no service and changes no cookie', async () => {
    const callsBefore = fakes.calls.length;
    for (const target of ['/v1/widget-sessions', '/v1/widget-sessions/renew', '/v1/widget-sessions/end']) {
      const answer = await api(url).send({
        method: 'HEAD',
        target,
        headers: { ...page, ...cookie('vkr_a') },
      });
      expectCookieUnchanged(answer, 404);
    }
    expect(fakes.calls).toHaveLength(callsBefore);
  });
});

describe('OPEN-06 AUTH-13: the body of a session operation', () => {
  it('OPEN-06: may have 64 KiB; one byte more is 413', async () => {
    const body = (bytes: number) => `{"text":"t","more":"${'a'.repeat(bytes - 22)}"}`;
    const post = (text: string, headers = {}) =>
      api(url).send({ method: 'POST', target: '/v1/widget-sessions', body: text, headers });
    expect(body(65_536)).toHaveLength(65_536);
    for (const headers of [{}, WEB]) {
      expect((await post(body(65_536), headers)).status).toBe(200);
      expect(await post(body(65_537), headers)).toMatchObject({
        status: 413,
        error: { code: 'PAYLOAD_TOO_LARGE' },
      });
    }
  });

  it('AUTH-13: is 400 with a token of 1,025 characters, an empty one, a number or null, also beside a cookie', async () => {
    const callsBefore = fakes.calls.length;
    for (const headers of [{}, { ...WEB, ...cookie('vkr_a') }]) {
      for (const refresh_token of ['a'.repeat(1_025), '', 5, null, ['vkr_a']]) {
        expectCookieUnchanged(await renew({ refresh_token }, headers), 400);
        expectCookieUnchanged(await end({ refresh_token }, headers), 400);
      }
      expectCookieUnchanged(await renew([], headers), 400);
    }
    expect(fakes.calls).toHaveLength(callsBefore);
    expectInBody(await renew({ refresh_token: 'a'.repeat(1_000) }), `${'a'.repeat(1_000)}-next`);
  });

  it('cannot override the cookie by a repeated token or a prototype', async () => {
    const body = '{"__proto__":{"refresh_token":"x"},"refresh_token":"vkr_b","refresh_token":"vkr_c"}';
    const headers = { ...WEB, ...cookie('vkr_a') };
    expectInCookie(
      await api(url).send({ method: 'POST', target: '/v1/widget-sessions/renew', body, headers }),
      'vkr_a-next',
    );
  });
});

describe('AUTH-14 OPEN-55: the cookie header', () => {
  it.each([
    ['two of the name', `${COOKIE}=vkr_a; ${COOKIE}=vkr_b`],
    ['the same one twice', `${COOKIE}=vkr_a; ${COOKIE}=vkr_a`],
    ['one in quotes', `${COOKIE}="vkr_a"`],
    ['one of 1,025 characters', `${COOKIE}=${'a'.repeat(1_025)}`],
    ['one of 8 KB', `${COOKIE}=${'a'.repeat(8_192)}`],
    ['another case of the name', `__host-vk_refresh=vkr_a`],
    ['a name that begins with a no-break space', `\u00a0${COOKIE}=vkr_a`],
    ['one with bytes beyond ASCII', `${COOKIE}=vkr_\u00fc`],
    ['an empty one', `${COOKIE}=`],
  ])('with %s contains no refresh token: 401, and auth receives none', async (_, header) => {
    const answer = await renew({ refresh_token: 'vkr_b' }, { ...WEB, Cookie: header });
    expectCookieUnchanged(answer, 401);
    expect(answer.error?.code).toBe('AUTHENTICATION_ERROR');
    expect(lastCall()?.input).not.toHaveProperty('refresh_token');
  });

  it('may contain hundreds of other cookies', async () => {
    const others = Array.from({ length: 400 }, (_, i) => `c${i}=v`).join('; ');
    const answer = await renew(undefined, { ...WEB, Cookie: `${others}; ${COOKIE}=vkr_a; ${others}` });
    expectInCookie(answer, 'vkr_a-next');
  });

  it('is not percent-decoded', async () => {
    const answer = await renew(undefined, { ...WEB, ...cookie('a%0d%0aSet-Cookie:%20b=c') });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-vk_refresh=a%0d%0aSet-Cookie:%20b=c-next; Path=\//),
    ]);
  });

  it('may be repeated, which counts as one list, and may not contain bytes beyond ASCII', async () => {
    expect(await renewRaw(`Cookie: ${COOKIE}=a\r\nCookie: ${COOKIE}=b\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await renewRaw(`Cookie: \u00a0${COOKIE}=a\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await renewRaw(`Cookie: ${COOKIE}=a\u0085\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await renewRaw(`Cookie: ${COOKIE}=a\r\nCookie: x=b\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('MISC-03: the log of a session operation', () => {
  it('contains neither cookie nor token nor user agent', async () => {
    const lines: string[] = [];
    const record = (line: unknown) => void lines.push(JSON.stringify(line));
    Logger.overrideLogger({ log: record, warn: record, error: record, debug: record, verbose: record });
    const headers = { ...WEB, ...cookie('canary-cookie'), 'User-Agent': 'canary-agent' };
    await renew(undefined, headers);
    await renew({ refresh_token: 'canary-body' });
    await renew(undefined, { ...headers, Origin: 'https://evil.test' });
    await begin('canary; Domain=evil.test', WEB);
    await end(undefined, headers);
    expect(lines.filter(isCounted)).toHaveLength(5);
    expect(lines.join('')).not.toContain('canary');
  });
});
