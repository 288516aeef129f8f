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
/** The answer to a browser's renewal with these header lines, whose letters are sent as bytes of Latin-1. */
const renewRaw = (lines: string): Promise<string> =>
  retryRateLimited(
    () => renewOnce(lines),
    (text) => text.startsWith('HTTP/1.1 429 '),
  );
const renewOnce = (lines: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const head = `POST /v1/widget-sessions/renew HTTP/1.1\r\nHost: a\r\nX-VK-Client: web\r\n${lines}`;
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`${head}Content-Length: 0\r\nConnection: close\r\n\r\n`, 'latin1'),
    );
    let text = '';
    socket
      .on('data', (data) => (text += data.toString()))
      .on('end', () => resolve(text))
      .on('error', reject);
  });
const lastAsked = () => fakes.calls.at(-1);

const isRotated = (answer: ApiResponse, value: string) => {
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.data).not.toHaveProperty('refresh_token');
  expect(answer.body.toString()).not.toContain(value);
  expect(setCookieOf(answer)?.value).toBe(value);
};
const isInBody = (answer: ApiResponse, value: string) => {
  expect(answer).toMatchObject({ status: 200, data: { refresh_token: value } });
  expect(answer.headers['set-cookie']).toBeUndefined();
};
/** Of a refusal too: a 401 may belong to an older tab, and must not sign the others out. */
const leavesTheCookieAlone = (answer: ApiResponse, status: number) => {
  expect(answer.status).toBe(status);
  expect(answer.headers['set-cookie']).toBeUndefined();
};

describe('AUTH-28 AUTH-29 AUTH-30: where the refresh token of a new session goes', () => {
  it('AUTH-28 TRAP 65: for browsers into the cookie, and the answer has no such property', async () => {
    const answer = await begin('vkr_one', WEB);
    expect(Object.keys(answer.data ?? {})).toEqual(['access_token']);
    isRotated(answer, 'vkr_one');
  });

  it('AUTH-17 AUTH-29: host-locked: Secure, HttpOnly, SameSite=Strict, Path=/, 30 days, no Domain, to the byte', async () => {
    const { headers } = await begin('vkr_one', WEB);
    expect(headers['set-cookie']).toEqual([
      '__Host-vk_refresh=vkr_one; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000',
    ]);
  });

  it('AUTH-30: for all others into the answer, and no cookie is set, whatever cookie they send', async () => {
    isInBody(await begin('vkr_two'), 'vkr_two');
    isInBody(await begin('vkr_two', cookie('vkr_one')), 'vkr_two');
  });

  it('AUTH-28: also when an identity completes its sign-up', async () => {
    const identity = { kind: 'identity' as const, accountId: null, userId: newId('idn_') };
    const { jwt } = await newSession(fakes, await newSigner(fakes), identity, {
      claims: { iss: API_ORIGIN },
    });
    const promote = (headers?: Headers) =>
      api(url, { jwt }).call(widgets.promoteSession, { body: { text: 'vkr_full' } }, headers);
    isRotated(await promote(WEB), 'vkr_full');
    const told = { client: { delivery: 'cookie' }, credential: { kind: 'identity' } };
    expect(lastAsked()?.context).toMatchObject(told);
    isInBody(await promote(), 'vkr_full');
  });

  it.each(['web', 'WEB', ' Web '])('the marker "%s" means a browser', async (marker) => {
    isRotated(await begin('vkr_one', { 'X-VK-Client': marker }), 'vkr_one');
  });

  it.each(['', 'webb', 'web,web', 'web; v=1', 'mobile', 'true', '"web"'])(
    'the marker "%s" means none',
    async (marker) => {
      isInBody(await begin('vkr_one', { 'X-VK-Client': marker }), 'vkr_one');
    },
  );
});

describe('AUTH-14 AUTH-31 AMB-45: which refresh token is presented', () => {
  it('AUTH-14 AUTH-31: with the marker the one in the cookie, and its successor takes its place', async () => {
    isRotated(await renew(undefined, { ...WEB, ...cookie('vkr_a') }), 'vkr_a-next');
    isRotated(await renew({}, { ...WEB, ...cookie('vkr_a') }), 'vkr_a-next');
    expect(lastAsked()?.input).toEqual({ refresh_token: 'vkr_a' });
  });

  it('AMB-45: with the marker the body is not looked at, neither beside the cookie nor without one', async () => {
    isRotated(await renew({ refresh_token: 'vkr_b' }, { ...WEB, ...cookie('vkr_a') }), 'vkr_a-next');
    leavesTheCookieAlone(await renew({ refresh_token: 'vkr_b' }, WEB), 401);
    expect(lastAsked()).toMatchObject({ operation: 'renew', input: {} });
    expect(lastAsked()?.input).not.toHaveProperty('refresh_token');
  });

  it('AMB-45: without the marker the cookie is ignored', async () => {
    isInBody(await renew({ refresh_token: 'vkr_b' }, cookie('vkr_a')), 'vkr_b-next');
    const answer = await renew(undefined, cookie('vkr_a'));
    leavesTheCookieAlone(answer, 401);
    expect(answer.error?.code).toBe('AUTHENTICATION_ERROR');
    expect(lastAsked()?.input).not.toHaveProperty('refresh_token');
  });

  it('OPEN-59: neither cookie nor body is 401 AUTHENTICATION_ERROR on both paths', async () => {
    for (const headers of [{}, WEB]) {
      const answer = await renew(undefined, headers);
      leavesTheCookieAlone(answer, 401);
      expect(answer.error?.code).toBe('AUTHENTICATION_ERROR');
    }
  });

  it('AUTH-19 AUTH-20: auth is told the path and the user agent, on each operation', async () => {
    const agent = { 'User-Agent': 'test/1.0' };
    for (const call of [() => begin('t', { ...WEB, ...agent }), () => renew({}, { ...WEB, ...agent })]) {
      await call();
      expect(lastAsked()?.context.client).toEqual({ delivery: 'cookie', userAgent: 'test/1.0' });
    }
    for (const call of [() => begin('t', agent), () => renew({}, agent), () => end({}, agent)]) {
      await call();
      expect(lastAsked()?.context.client).toEqual({ delivery: 'body', userAgent: 'test/1.0' });
    }
  });

  it('the client is told of session operations only', async () => {
    await api(url).call(widgets.useWidgetPublicly, { body: { text: 'a', size: 1 } }, WEB);
    expect(lastAsked()?.context).not.toHaveProperty('client');
  });

  it.each([
    ['of 300 letters', `User-Agent: ${'a'.repeat(300)}\r\n`, 'a'.repeat(256)],
    ['with C1 controls and a tab', `User-Agent: a\u0085\u009bb\tc\r\n`, 'abc'],
    ['of controls only', 'User-Agent: \u0080\r\n', null],
    ['with letters of Latin-1', 'User-Agent: é\r\n', 'é'],
    ['given twice', 'User-Agent: a\r\nUser-Agent: b\r\n', 'a'],
    ['absent', '', null],
  ])('a user agent %s', async (_, line, userAgent) => {
    await renewRaw(line);
    expect(lastAsked()?.context.client).toEqual({ delivery: 'cookie', userAgent });
  });

  it('a marker given twice is no marker, and the cookie beside it is ignored', async () => {
    expect(await renewRaw(`X-VK-Client: web\r\nCookie: ${COOKIE}=a\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(lastAsked()?.context.client?.delivery).toBe('body');
  });
});

describe('AUTH-25 AUTH-26: signing out', () => {
  it('AUTH-25: with the marker deletes the cookie, with the cookie or without one, also of junk', async () => {
    for (const given of [cookie('vkr_a'), cookie('junk'), {}]) {
      const answer = await end(undefined, { ...WEB, ...given });
      expect(answer.status).toBe(204);
      expect(answer.headers['set-cookie']).toEqual([
        '__Host-vk_refresh=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
      ]);
    }
  });

  it('AUTH-25 AMB-45: the cookie goes before the body, and the body counts where there is no cookie', async () => {
    await end({ refresh_token: 'vkr_b' }, { ...WEB, ...cookie('vkr_a') });
    expect(lastAsked()?.input).toEqual({ refresh_token: 'vkr_a' });
    expect(setCookieOf(await end({ refresh_token: 'vkr_b' }, WEB))?.value).toBe('');
    expect(lastAsked()?.input).toEqual({ refresh_token: 'vkr_b' });
  });

  it('AUTH-30: without the marker takes the body alone and sets no cookie', async () => {
    leavesTheCookieAlone(await end({ refresh_token: 'vkr_b' }, cookie('vkr_a')), 204);
    expect(lastAsked()?.input).toEqual({ refresh_token: 'vkr_b' });
    leavesTheCookieAlone(await end(undefined, cookie('vkr_a')), 204);
    expect(lastAsked()?.input).toEqual({});
  });
});

describe('AUTH-28: refusals and faults never touch the cookie', () => {
  it.each([
    ['REFRESH_TOKEN_INVALID', 401, 'UNAUTHORIZED'],
    ['TOKEN_REPLAY', 401, 'TOKEN_REPLAY'],
    ['INTERNAL_ERROR', 500, 'INTERNAL_ERROR'],
  ])('%s', async (token, status, code) => {
    const answer = await renew(undefined, { ...WEB, ...cookie(token) });
    leavesTheCookieAlone(answer, status);
    expect(answer.error?.code).toBe(code);
  });

  it('a sign-out that failed leaves the token, so that it can be tried again', async () => {
    leavesTheCookieAlone(await end(undefined, { ...WEB, ...cookie('bug') }), 500);
  });

  it.each(['a; Domain=evil.test', 'a\r\nSet-Cookie: b=c', 'a,b', 'é', '', 'tokenless'])(
    'a service that answers the token %j makes a fault, not a header',
    async (text) => {
      leavesTheCookieAlone(await begin(text, WEB), 500);
    },
  );
});

describe('OPEN-59: pages that may keep a session in the cookie', () => {
  const calls: [string, (headers: Headers) => Promise<ApiResponse>][] = [
    ['opening', (headers) => begin('vkr_one', { ...WEB, ...headers })],
    ['renewing', (headers) => renew(undefined, { ...WEB, ...cookie('vkr_a'), ...headers })],
    ['ending', (headers) => end(undefined, { ...WEB, ...cookie('vkr_a'), ...headers })],
  ];
  describe.each(calls)('%s', (_, call) => {
    it.each([
      ['another site', { Origin: 'https://evil.test' }],
      ['a sandbox or a file', { Origin: 'null' }],
      ['an empty origin', { Origin: '' }],
      ['another scheme', { Origin: 'http://app.test' }],
      ['another port', { Origin: 'https://app.test:8443' }],
      ['another case', { Origin: 'https://APP.test' }],
      ['a longer name', { Origin: 'https://app.test.evil.test' }],
      ['a path', { Origin: 'https://app.test/' }],
      ['two at once', { Origin: 'https://app.test, https://evil.test' }],
      [
        'a listed page called from another site',
        { Origin: 'https://app.test', 'Sec-Fetch-Site': 'cross-site' },
      ],
      ['another site without Origin', { 'Sec-Fetch-Site': 'cross-site' }],
      ['an address that somebody typed', { 'Sec-Fetch-Site': 'none' }],
      ['an unknown relation', { 'Sec-Fetch-Site': '' }],
    ])('from %s is 403, nothing is asked and the cookie stays', async (__, headers) => {
      const asked = fakes.calls.length;
      const answer = await call(headers);
      leavesTheCookieAlone(answer, 403);
      expect(answer.error).toEqual({
        code: 'FORBIDDEN',
        message: 'Pages of this origin may not use browser sessions.',
      });
      expect(fakes.calls).toHaveLength(asked);
    });

    it.each([
      ['a listed origin', { Origin: 'https://app.test' }],
      ['a listed origin of the same site', { Origin: 'https://app.test', 'Sec-Fetch-Site': 'same-site' }],
      ["the API's own origin", { Origin: API_ORIGIN, 'Sec-Fetch-Site': 'same-origin' }],
      ['nothing said, as programs do', {}],
    ])('from %s passes', async (__, headers) => {
      const answer = await call(headers);
      expect(answer.status).toBeLessThan(300);
      expect(setCookieOf(answer)).toBeDefined();
    });
  });

  it('callers without the marker are not asked: no cookie is read or set for them', async () => {
    isInBody(await renew({ refresh_token: 'vkr_b' }, { Origin: 'https://evil.test' }), 'vkr_b-next');
  });

  it('AMB-13: 413 and malformed JSON come before 403, and 403 before what the contract says', async () => {
    const foreign = { ...WEB, Origin: 'https://evil.test' };
    const post = (body: string) =>
      api(url).send({ method: 'POST', target: '/v1/widget-sessions', body, headers: foreign });
    expect((await post('a'.repeat(65_537))).status).toBe(413);
    expect((await post('{')).status).toBe(400);
    expect((await post('{"text":5}')).status).toBe(403);
  });
});

describe('OPEN-54: a listed page reads every answer of the session routes', () => {
  const page = { ...WEB, Origin: 'https://app.test' };

  it('AUTH-28: the preflight of the marker passes, counts nothing, asks nothing, and touches no cookie', async () => {
    const asked = fakes.calls.length;
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
    leavesTheCookieAlone(answer, 204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.test',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringMatching(/Content-Type.*X-VK-Client/),
    });
    expect(fakes.calls).toHaveLength(asked);
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
  ])('%s', async (_, call, status) => {
    expect(await call()).toMatchObject({
      status,
      headers: {
        'access-control-allow-origin': 'https://app.test',
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
      },
    });
  });

  it('a page of another origin is told nothing that would let it read', async () => {
    const { headers } = await renew(undefined, { ...WEB, Origin: 'https://evil.test' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('OPEN-55: HEAD is 404, asks nothing and touches no cookie', async () => {
    const asked = fakes.calls.length;
    for (const target of ['/v1/widget-sessions', '/v1/widget-sessions/renew', '/v1/widget-sessions/end']) {
      const answer = await api(url).send({
        method: 'HEAD',
        target,
        headers: { ...page, ...cookie('vkr_a') },
      });
      leavesTheCookieAlone(answer, 404);
    }
    expect(fakes.calls).toHaveLength(asked);
  });
});

describe('OPEN-06 AUTH-13: what the body may be, on both paths', () => {
  it('OPEN-06: 64 KiB pass, one byte more is 413', async () => {
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

  it('AUTH-13: a token of 1,025 characters, none, a number or null is 400, also where the cookie would count', async () => {
    const asked = fakes.calls.length;
    for (const headers of [{}, { ...WEB, ...cookie('vkr_a') }]) {
      for (const refresh_token of ['a'.repeat(1_025), '', 5, null, ['vkr_a']]) {
        leavesTheCookieAlone(await renew({ refresh_token }, headers), 400);
        leavesTheCookieAlone(await end({ refresh_token }, headers), 400);
      }
      leavesTheCookieAlone(await renew([], headers), 400);
    }
    expect(fakes.calls).toHaveLength(asked);
    isInBody(await renew({ refresh_token: 'a'.repeat(1_000) }), `${'a'.repeat(1_000)}-next`);
  });

  it('a body that names the token twice, or the prototype, cannot bring its own beside the cookie', async () => {
    const body = '{"__proto__":{"refresh_token":"x"},"refresh_token":"vkr_b","refresh_token":"vkr_c"}';
    const headers = { ...WEB, ...cookie('vkr_a') };
    isRotated(
      await api(url).send({ method: 'POST', target: '/v1/widget-sessions/renew', body, headers }),
      'vkr_a-next',
    );
  });
});

describe('AUTH-14 OPEN-55: cookies that attackers send', () => {
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
  ])('%s is none: 401, and nothing is presented', async (_, header) => {
    const answer = await renew({ refresh_token: 'vkr_b' }, { ...WEB, Cookie: header });
    leavesTheCookieAlone(answer, 401);
    expect(answer.error?.code).toBe('AUTHENTICATION_ERROR');
    expect(lastAsked()?.input).not.toHaveProperty('refresh_token');
  });

  it('hundreds of other cookies hide nothing', async () => {
    const others = Array.from({ length: 400 }, (_, i) => `c${i}=v`).join('; ');
    const answer = await renew(undefined, { ...WEB, Cookie: `${others}; ${COOKIE}=vkr_a; ${others}` });
    isRotated(answer, 'vkr_a-next');
  });

  it('a percent-encoded line break stays the text that it is', async () => {
    const answer = await renew(undefined, { ...WEB, ...cookie('a%0d%0aSet-Cookie:%20b=c') });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-vk_refresh=a%0d%0aSet-Cookie:%20b=c-next; Path=\//),
    ]);
  });

  it('two Cookie lines are one list, and bytes beyond ASCII make no cookie', async () => {
    expect(await renewRaw(`Cookie: ${COOKIE}=a\r\nCookie: ${COOKIE}=b\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await renewRaw(`Cookie: \u00a0${COOKIE}=a\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await renewRaw(`Cookie: ${COOKIE}=a\u0085\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await renewRaw(`Cookie: ${COOKIE}=a\r\nCookie: x=b\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('MISC-03: what is logged of a session', () => {
  it('is neither the cookie, nor the token of a body, nor the user agent', async () => {
    const lines: string[] = [];
    const take = (line: unknown) => void lines.push(JSON.stringify(line));
    Logger.overrideLogger({ log: take, warn: take, error: take, debug: take, verbose: take });
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
