import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, UNREACHED_LIMIT, send, type Api, type RawRequest } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import * as widgets from '../testing/test-operations.js';
import {
  isCounted,
  linkUrlOf,
  newApiKey,
  newSession,
  newSigner,
  fixtureGateway,
  fixtureSettings,
  type Signer,
} from '../testing/gateway-fixture.js';

const LINK_ORIGIN = 'https://links.test';
const FILES_ORIGIN = 'https://files.test';
const settings = { ...fixtureSettings, LINK_ORIGIN, FILES_ORIGIN, FORGE_ORIGIN: 'https://forge.test' };

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let gateway: RunningService;
let signer: Signer;
let apiUrl: string;
let linkUrl: string;
let filesUrl: string;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  signer = await newSigner(fakes);
  gateway = await harness.start(fixtureGateway, settings);
  apiUrl = urlOf(gateway);
  linkUrl = linkUrlOf(gateway, 'link');
  filesUrl = linkUrlOf(gateway, 'files');
});

const code = () => newId('c_').slice(2);
type Given = Partial<Parameters<Api['send']>[0]>;
const open = (given: Given = {}, url = linkUrl, credentials = {}) =>
  api(url, credentials).send({ method: 'POST', target: `/${code()}/burn`, body: {}, bare: true, ...given });
const lastVisit = () => fakes.calls.at(-1)?.context;
const openings = () => fakes.calls.filter(({ operation }) => operation === 'open-linked').length;

/** The headers of every response of link pages' origins. */
const always = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
};
const own = [...Object.keys(always), 'x-request-id', 'content-security-policy'];
const ofConnection = ['connection', 'keep-alive', 'date'];

describe('OPEN-22 OPEN-23 MISC-02: routes of link pages', () => {
  it.each(['burn', 'open'])(
    'POST /{code}/%s is one operation on both origins, without an envelope',
    async (verb) => {
      for (const [url, domain] of [[linkUrl, 'link'] as const, [filesUrl, 'files'] as const]) {
        const link_code = code();
        const answer = await open({ target: `/${link_code}/${verb}` }, url);
        expect(answer).toMatchObject({ status: 200, data: { text: link_code, caller: 'none' } });
        expect(lastVisit()?.visit).toEqual({ domain, userAgent: null });
        expect(lastVisit()?.clientIp).toBe('127.0.0.1');
      }
    },
  );

  it('are not on the origin of the API, and those of the API are not on the origins of link pages', async () => {
    const before = openings();
    for (const target of [`/${code()}/burn`, `/${code()}/open`])
      expect(await api(apiUrl).send({ method: 'POST', target, body: {} })).toMatchObject({ status: 404 });
    expect(await api(apiUrl).send({ method: 'GET', target: `/${code()}` })).toMatchObject({ status: 404 });
    const { key } = newApiKey(fakes);
    for (const url of [linkUrl, filesUrl])
      for (const target of [
        '/v1/widgets',
        '/v1/health',
        '/v1/openapi.json',
        '/.well-known/jwks.json',
        '/a/b',
        '/a/b/',
      ])
        expect(await api(url, { key }).send({ method: 'GET', target })).toMatchObject({
          status: 404,
          error: { code: 'NOT_FOUND' },
        });
    expect(openings()).toBe(before);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD', 'TRACE'])('do not open a link by %s', async (method) => {
    const before = openings();
    expect(await open({ method, target: `/${code()}/burn`, body: undefined, bare: false })).toMatchObject({
      status: 404,
      headers: { allow: 'POST' },
    });
    expect(openings()).toBe(before);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'POST', 'TRACE'])(
    'OPEN-55: answer %s of a page with an enveloped 404 and its methods in Allow',
    async (method) => {
      expect(await open({ method, target: `/${code()}` })).toMatchObject({
        status: 404,
        headers: { allow: 'GET, HEAD' },
        error: { code: 'NOT_FOUND', message: 'This path has GET and HEAD only.' },
      });
    },
  );

  it('accept an empty body for {}, with and without a content type', async () => {
    expect(await open({ body: undefined })).toMatchObject({ status: 200 });
    expect(await open({ body: '' })).toMatchObject({ status: 200 });
  });

  it('answer a malformed code as an unknown one', async () => {
    for (const target of ['/%ZZ/burn', `/${'x'.repeat(600)}/burn`, '/LINK_NOT_FOUND/burn'])
      expect(await open({ target })).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
  });
});

describe('LNK-11 TRAP 14 TRAP 16: the link page', () => {
  const targets = () => [
    `/${code()}`,
    `/${code()}/`,
    `/${code()}.`,
    `/${code()})`,
    '/%ZZ',
    '/x?y=z',
    `/${'x'.repeat(2_000)}`,
  ];
  const read = (target: string, given: Partial<RawRequest> = {}, url = linkUrl) =>
    send(url, { method: 'GET', target, ...given });

  it('is the same for every code and on both origins, and calls no service', async () => {
    const callsBefore = fakes.calls.length;
    const first = await read(`/${code()}`);
    expect(first.status).toBe(200);
    expect(first.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const url of [linkUrl, filesUrl])
      for (const target of targets()) {
        const { status, body } = await read(target, {}, url);
        expect({ target, status, isSame: body.equals(first.body) }).toEqual({
          target,
          status: 200,
          isSame: true,
        });
      }
    expect(fakes.calls).toHaveLength(callsBefore);
  });

  it('has exactly these headers, also for a HEAD, without a body', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headers, body } = await read(`/${code()}`, { method });
      expect(headers).toMatchObject(always);
      const named = Object.keys(headers).filter((name) => !ofConnection.includes(name));
      expect(named.toSorted()).toEqual([...own, 'content-type', 'content-length'].toSorted());
      expect(body.length).toBe(method === 'HEAD' ? 0 : Number(headers['content-length']));
    }
  });

  it('loads and runs only itself, and sends requests only to its origin and Forge', async () => {
    const policy = String((await read(`/${code()}`)).headers['content-security-policy']);
    expect(policy.split('; ').map((part) => part.replace(/'sha256-[^']{44}'/g, 'HASH'))).toEqual([
      "default-src 'none'",
      'script-src HASH',
      'style-src HASH',
      "connect-src 'self' https://forge.test",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
  });

  it.each([
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Purpose', 'prefetch'],
  ])('has no script for a prefetch with %s: %s', async (name, value) => {
    const { status, body } = await read(`/${code()}`, { headers: { [name]: value } });
    expect(status).toBe(200);
    expect(body.toString()).not.toContain('<script');
    expect((await read(`/${code()}`)).body.toString()).toContain('<script');
  });

  it('OPEN-54: answers OPTIONS with 204 and no CORS headers', async () => {
    for (const target of [`/${code()}`, `/${code()}/burn`, '*', '/v1/widgets']) {
      const headers = { Origin: 'https://app.test', 'Access-Control-Request-Method': 'POST' };
      const answer = await read(target, { method: 'OPTIONS', headers });
      expect(answer.status).toBe(204);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(answer.headers).toMatchObject(always);
    }
  });

  it('MISC-02: has its headers at the root of both origins, which explains the place and calls no service', async () => {
    const callsBefore = fakes.calls.length;
    const { headers: expected } = await read(`/${code()}`);
    const policy = expected['content-security-policy'];
    for (const url of [linkUrl, filesUrl])
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await read('/?x=y', { method }, url);
        expect({ status, type: headers['content-type'] }).toEqual({
          status: 200,
          type: 'text/html; charset=utf-8',
        });
        expect(headers).toMatchObject({ ...always, 'content-security-policy': policy });
        expect(Object.keys(headers).toSorted()).toEqual(Object.keys(expected).toSorted());
        expect(body.toString().includes('the link may be incomplete')).toBe(method === 'GET');
      }
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(await open({ method, target: '/' })).toMatchObject({ status: 404 });
    expect(fakes.calls).toHaveLength(callsBefore);
  });

  it('comes with a robots.txt that disallows all, and contains its icon', async () => {
    const robots = await read('/robots.txt');
    expect(robots).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } });
    expect(robots.body.toString()).toBe('User-agent: *\nDisallow: /\n');
    expect((await read('/favicon.ico')).status).toBe(404);
  });
});

describe('the headers of a response to an opening', () => {
  const named = (headers: object) =>
    Object.keys(headers)
      .filter((name) => !ofConnection.includes(name))
      .toSorted();
  const expected = [...own, 'content-type', 'content-length', 'ratelimit', 'ratelimit-policy'].toSorted();

  it('are exactly these, for a success and for an error', async () => {
    for (const target of [`/${code()}/burn`, '/LINK_CONSUMED/burn']) {
      const { headers } = await open({ target });
      expect(headers).toMatchObject({
        ...always,
        'content-type': 'application/json; charset=utf-8',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
      expect(named(headers)).toEqual(expected);
    }
  });

  it('OPEN-25: include Retry-After for a limit of the service', async () => {
    const answer = await open({ target: '/LINK_CODES_EXHAUSTED/burn' });
    expect(answer).toMatchObject({ status: 429, error: { code: 'RATE_LIMIT_EXCEEDED' } });
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThan(80);
    expect(seconds).toBeLessThanOrEqual(90);
    expect(named(answer.headers)).toEqual([...expected, 'retry-after'].toSorted());
  });
});

describe('OPEN-23 LNK-11: a POST to open a link', () => {
  const refused = { status: 403, error: { code: 'FORBIDDEN' } };

  it.each([
    ['another origin', { Origin: 'https://evil.test' }],
    [
      'another origin with a forged Sec-Fetch-Site',
      { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'same-origin' },
    ],
    ['the origin of files', { Origin: FILES_ORIGIN }],
    ['the origin of an app that may call the API', { Origin: 'https://app.test' }],
    ['a sandboxed page', { Origin: 'null' }],
    ['the origin with a trailing slash', { Origin: `${LINK_ORIGIN}/` }],
    ['two origins', { Origin: `${LINK_ORIGIN}, https://evil.test` }],
    ['a page of the same site', { 'Sec-Fetch-Site': 'same-site' }],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a browser without a page', { 'Sec-Fetch-Site': 'none' }],
  ])('from %s is refused without a call to a service', async (_, headers) => {
    const callsBefore = fakes.calls.length;
    for (const target of [`/${code()}/burn`, `/${code()}/open`])
      expect(await open({ target, headers })).toMatchObject(refused);
    expect(fakes.calls).toHaveLength(callsBefore);
  });

  it.each([
    ['the page', { Origin: LINK_ORIGIN, 'Sec-Fetch-Site': 'same-origin' }],
    ['the page, in a browser without Origin', { 'Sec-Fetch-Site': 'same-origin' }],
    ['a client other than a browser', {}],
  ])('from %s is accepted', async (_, headers) => {
    const answer = await open({ headers });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('must come from the origin that it is sent to', async () => {
    expect(await open({ headers: { Origin: FILES_ORIGIN } }, filesUrl)).toMatchObject({ status: 200 });
    expect(await open({ headers: { Origin: LINK_ORIGIN } }, filesUrl)).toMatchObject(refused);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'of type %j, which a form can send, is refused, with a body and without',
    async (type) => {
      const callsBefore = fakes.calls.length;
      for (const body of ['{}', undefined])
        expect(await open({ headers: { 'Content-Type': type }, body })).toMatchObject({ status: 400 });
      expect(fakes.calls).toHaveLength(callsBefore);
    },
  );

  it('with a body without a content type is refused', async () => {
    const untyped = { method: 'POST', target: `/${code()}/burn`, body: '{}' };
    expect((await send(linkUrl, untyped)).status).toBe(400);
    expect((await send(linkUrl, { ...untyped, headers: { 'Transfer-Encoding': 'chunked' } })).status).toBe(
      400,
    );
  });

  it('OPEN-06: with a body of more than 4,096 bytes is 413', async () => {
    expect(await open({ body: { text: 'x'.repeat(4_096) } })).toMatchObject({ status: 413 });
  });
});

describe('OPEN-25: the visitor of a link', () => {
  it('is anonymous without a session, and counts on the address', async () => {
    const answer = await open();
    expect(answer.headers['ratelimit-policy']).toBe(`"address";q=${UNREACHED_LIMIT};w=60`);
    expect(lastVisit()?.credential).toEqual({ kind: 'none' });
  });

  it('has the account and user of a full session', async () => {
    const { jwt, record } = await newSession(fakes, signer, { role: 'member' });
    expect(await open({}, linkUrl, { jwt })).toMatchObject({ status: 200 });
    const { accountId, userId } = record;
    expect(lastVisit()?.credential).toMatchObject({ kind: 'session', accountId, userId });
  });

  it('with an invalid session is 401', async () => {
    const asked = openings();
    const { jwt } = await newSession(fakes, signer);
    for (const bad of ['a.b.c', `${jwt.slice(0, -8)}AAAAAAAA`, 'x'])
      expect(await open({}, linkUrl, { jwt: bad })).toMatchObject({ status: 401 });
    expect(await open({ headers: { Authorization: '' } })).toMatchObject({ status: 401 });
    expect(openings()).toBe(asked);
  });

  it('LNK-18 OPEN-25: is anonymous with an API key or an identity-only session', async () => {
    const { jwt } = await newSession(fakes, signer);
    const { key } = newApiKey(fakes);
    const stranger = { kind: 'identity', accountId: null, userId: newId('idn_') } as const;
    const identity = await newSession(fakes, signer, stranger);
    for (const credentials of [{ key }, { key, jwt }, { jwt: identity.jwt }]) {
      expect(await open({}, linkUrl, credentials)).toMatchObject({ status: 200 });
      expect(lastVisit()?.credential).toEqual({ kind: 'none' });
    }
  });

  it('AMB-44: with a bad API key is 401, also beside a good session', async () => {
    const asked = openings();
    const { jwt } = await newSession(fakes, signer);
    expect(await open({}, linkUrl, { key: 'vk_live_bad', jwt })).toMatchObject({ status: 401 });
    expect(openings()).toBe(asked);
  });

  it('LNK-22: has a user agent of at most 256 characters, without control characters', async () => {
    await open({ headers: { 'User-Agent': `Some\tBrowser ${'x'.repeat(300)}` } });
    const agent = lastVisit()?.visit?.userAgent ?? '';
    expect(agent).toMatch(/^SomeBrowser x+$/);
    expect(agent).toHaveLength(256);
  });
});

describe('SPK-11 OPEN-01: the address of a visitor', () => {
  it('is not read from the header of an untrusted peer', async () => {
    await open({ headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' } });
    expect(lastVisit()?.clientIp).toBe('127.0.0.1');
  });

  it('is the nearest untrusted address behind trusted proxies, mapped forms as IPv4', async () => {
    const proxied = await harness.start(fixtureGateway, {
      ...settings,
      TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
    });
    const url = linkUrlOf(proxied, 'link');
    for (const [forwarded, ip] of [
      ['203.0.113.9', '203.0.113.9'],
      ['198.51.100.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['[2001:db8::1]:4711', '2001:db8::1'],
    ] as const) {
      const headers = { 'X-Forwarded-For': forwarded, 'X-Forwarded-Proto': 'https' };
      expect(await open({ headers }, url)).toMatchObject({ status: 200 });
      expect(lastVisit()?.clientIp).toBe(ip);
    }
    const plain = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http' };
    expect(await open({ headers: plain }, url)).toMatchObject({
      status: 403,
      error: { message: 'HTTPS required.' },
    });
    expect((await send(url, { method: 'GET', target: '/x', headers: plain })).status).toBe(403);
  });

  it('OPEN-55: does not matter to the HTTP parser, whose refusals have the headers of these origins', async () => {
    const target = `/${code()}`;
    const answer = await send(linkUrl, { method: 'GET', target, headers: { 'X-Long': 'a'.repeat(20_000) } });
    expect(answer).toMatchObject({ status: 400, headers: always });
  });

  it('does not matter to the framing rules, which apply on these origins too', async () => {
    const headers = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`X-${i}`, 'a']));
    expect(await open({ headers })).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('MISC-03: the log of a visit', () => {
  it('contains the path template, never the code, the query or the body', async () => {
    const lines: string[] = [];
    const take = (line: unknown) => void lines.push(JSON.stringify(line));
    Logger.overrideLogger({ log: take, warn: take, error: take });
    await send(linkUrl, { method: 'GET', target: '/canary-code?canary-query' });
    await open({ target: '/canary-code/open?canary-query', body: { text: 'canary-body' } });
    await send(linkUrl, { method: 'GET', target: '/canary-path/x' });
    Logger.overrideLogger(false);
    const counted = lines.filter(isCounted);
    expect(counted.map((line) => (JSON.parse(line) as { route: unknown }).route)).toEqual([
      '/{link_code}',
      '/{link_code}/burn',
      null,
    ]);
    expect(lines.join('')).not.toContain('canary');
  });
});

describe('MISC-01: a gateway that shuts down', () => {
  it('finishes a pending opening, then stops listening on all its origins', async () => {
    const copy = await harness.start(fixtureGateway, settings);
    const url = linkUrlOf(copy, 'files');
    const urls = [urlOf(copy), linkUrlOf(copy, 'link'), url];
    let release: () => void = () => undefined;
    const waits = new Promise<void>((waiting) => {
      fakes.beforeAnswer = () => {
        waiting();
        return new Promise((resolve) => (release = resolve));
      };
    });
    const underWay = open({ target: '/held/open' }, url);
    await waits;
    const stopped = copy.stop();
    release();
    expect((await underWay).status).toBe(200);
    await stopped;
    for (const origin of urls) await expect(send(origin, { method: 'GET', target: '/x' })).rejects.toThrow();
  });
});

describe('LNK-11: the link page operations', () => {
  it('fit their contracts', async () => {
    const input = { params: { link_code: code() }, body: {} };
    expect(await api(linkUrl).call(widgets.openWidgetLink, input)).toMatchObject({ status: 200 });
  });
});
