import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, retryRateLimited, send, type Api } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import * as widgets from '../testing/test-operations.js';
import { linkUrlOf, newApiKey, fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;
let linkUrl: string;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  const gateway = await harness.start(fixtureGateway, fixtureSettings);
  url = urlOf(gateway);
  linkUrl = linkUrlOf(gateway, 'link');
});

/** A client of a new account. */
const withKey = (changes = {}): Api & { accountId: string } => {
  const { key, record } = newApiKey(fakes, changes);
  return { ...api(url, { key }), accountId: record.accountId as string };
};
const widget = { text: 'a', size: 7 };
/** The fake service finds each id that does not end in 0. */
const spk = () => newId('spk_').slice(0, -1) + '1';
describe('ENV-26 OPEN-55 TRAP 14 TRAP 71: an unknown route', () => {
  it.each([
    '/',
    '/widgets',
    '/v1',
    '/v1/nothing',
    '/v1/widgets/',
    '/V1/widgets',
    '/v1/%ZZ',
    '/%',
    '//v1/widgets',
    '/v1/widgets/a/b/c',
    '/v1/health/',
    '/favicon.ico',
    '/docs/',
    '/DOCS',
    '/v1/openapi.json/',
    '/v1/OpenAPI.json',
  ])('GET %s is an enveloped 404, with and without a credential', async (target) => {
    for (const caller of [api(url), withKey()])
      expect(await caller.send({ method: 'GET', target })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND', details: { reason: 'NOT_FOUND' } },
      });
  });

  it.each([
    ['GET', '/v1/widget', '/v1/widgets'],
    ['POST', '/v1/widgets/', '/v1/widgets'],
    ['GET', '/V1/widgets', '/v1/widgets'],
    ['DELETE', '/v1/widget/spk_secret', '/v1/widgets/{widget_id}'],
  ])('%s %s names the path that it is near, and no value', async (method, target, nearest) => {
    expect(await api(url).send({ method, target })).toMatchObject({
      status: 404,
      error: {
        code: 'NOT_FOUND',
        message: `There is no such path. The nearest one is ${nearest}.`,
        details: { reason: 'NOT_FOUND', nearest },
      },
    });
  });

  it.each([
    ['/docs/', '/docs'],
    ['/docs/guides/', '/docs/guides'],
    ['/docs/guides/files/', '/docs/guides/files'],
    ['/docs/errors/', '/docs/errors'],
  ])('%s leads a browser to %s, uncounted', async (target, page) => {
    const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const { status, headers } = await send(url, { method: 'GET', target, headers: browser });
    expect({ status, location: headers.location, limit: headers.ratelimit }).toEqual({
      status: 303,
      location: page,
      limit: undefined,
    });
    const found = await send(url, { method: 'GET', target: page });
    expect(found).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(found.headers.ratelimit).toBeUndefined();
  });

  it.each(['//evil.test/', '/docs//evil.test/', '/v1/widgets/', '/docs/%0d%0aX:y/', '/DOCS/'])(
    '%s leads a browser nowhere',
    async (target) => {
      const answer = await api(url, { headers: { Accept: 'text/html' } }).send({ method: 'GET', target });
      expect(answer).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    '%s on a path with other methods is 404, with these methods in Allow and in the message',
    async (method) => {
      const isFree = method !== 'POST' && method !== 'DELETE';
      const target = isFree ? '/v1/widgets' : '/v1/health';
      expect(await withKey().send({ method, target })).toMatchObject({
        status: 404,
        headers: { allow: isFree ? 'GET, POST' : 'GET' },
        error: {
          code: 'NOT_FOUND',
          message: isFree ? 'This path has GET and POST only.' : 'This path has GET only.',
          details: { reason: 'METHOD_NOT_FOUND' },
        },
      });
    },
  );

  it('OPEN-55: includes HEAD, which is 404 without a body and reaches no handler', async () => {
    const callsBefore = fakes.calls.length;
    for (const target of ['/v1/widgets', `/v1/widgets/${spk()}`, '/v1/health', '/docs']) {
      expect(await withKey().send({ method: 'HEAD', target })).toMatchObject({ status: 404 });
    }
    const { headers } = await withKey().send({ method: 'HEAD', target: `/v1/widgets/${spk()}` });
    expect(headers.allow).toBe('DELETE, GET');
    expect(fakes.calls).toHaveLength(callsBefore);
  });
});

describe('ENV-43 OPEN-49 OPEN-54: CORS', () => {
  it('answers OPTIONS with 204 before authentication, uncounted, with CORS headers for listed origins', async () => {
    for (const target of ['/v1/widgets', '/v1/nothing', '*']) {
      const listed = await api(url).send({
        method: 'OPTIONS',
        target,
        headers: { Origin: 'https://app.test' },
      });
      expect(listed.status).toBe(204);
      expect(listed.headers).toMatchObject({
        'access-control-allow-origin': 'https://app.test',
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '600',
        'access-control-allow-headers':
          'Authorization, Content-Type, X-API-Key, X-VK-Client, X-Vault-Access-Token, X-Request-Id, Idempotency-Key',
        vary: 'Origin',
      });
      expect(listed.headers.ratelimit).toBeUndefined();
    }
    const foreign = await api(url).send({
      method: 'OPTIONS',
      target: '/v1/widgets',
      headers: { Origin: 'https://evil.test' },
    });
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('adds headers to successes and errors for listed origins only', async () => {
    const get = (caller: Api, origin: string) =>
      caller.send({ method: 'GET', target: '/v1/widgets', headers: { Origin: origin } });
    for (const caller of [withKey(), api(url)]) {
      const { headers } = await get(caller, 'https://app.test');
      expect(headers['access-control-allow-origin']).toBe('https://app.test');
      expect(headers['access-control-expose-headers']).toBe(
        'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, X-Ignored, Allow, WWW-Authenticate, Idempotent-Replayed',
      );
      expect((await get(caller, 'https://evil.test')).headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('OPEN-55: the HTTP server', () => {
  /** All bytes that the server sends on a connection until it closes it. */
  const talk = (text: string, origin = url): Promise<string> =>
    retryRateLimited(() => talkOnce(text, origin), isRefused);
  const isRefused = (answer: string) => answer.includes('HTTP/1.1 429 ');
  const talkOnce = (text: string, origin: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket
        .on('data', (data) => (answer += data.toString()))
        .on('end', () => resolve(answer))
        .on('error', reject);
    });

  it.each([
    ['text that is not HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'BURN /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    [
      'two lengths',
      'POST /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'length and chunks',
      'POST /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a header too long', `GET /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'a'.repeat(66_000)}\r\n\r\n`],
    ['a target too long', `GET /v1/widgets?a=${'a'.repeat(66_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  ])('answers %s with an enveloped 400 and closes the connection', async (_, text) => {
    const answer = await talk(text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('Connection: close');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      error: { code: 'VALIDATION_ERROR' },
      meta: { api_version: '9.9.9' },
    });
  });

  it('answers a request without Host with an enveloped 400, and accepts an absolute target', async () => {
    expect(await talk('GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*VALIDATION_ERROR/,
    );
    expect(
      await talk('GET http://127.0.0.1/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('STR-10: accepts 60 KB of target and headers, and on link pages no more than the default of Node', async () => {
    const long = (target: string) =>
      `GET ${target}?a=${'a'.repeat(30_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'a'.repeat(30_000)}\r\nConnection: close\r\n\r\n`;
    expect(await talk(long('/v1/health'))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await talk(long('/code'), linkUrl)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('answers a repeated Host, Authorization or Content-Type with an enveloped 400', async () => {
    const close = 'Connection: close\r\n\r\n';
    expect(await talk(`GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: b\r\n${close}`)).toMatch(
      / 400 [^]*VALIDATION_ERROR/,
    );
    const tokens = 'Authorization: Bearer a.b.c\r\nAuthorization: Bearer d.e.f\r\n';
    expect(await talk(`GET /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\n${tokens}${close}`)).toMatch(
      / 400 [^]*Authorization[^]*must be given once/,
    );
    const types = 'Content-Type: application/json\r\nContent-Type: text/plain\r\n';
    const head = `POST /v1/open-widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 12\r\n${types}`;
    expect(await talk(`${head}${close}{"text":"a"}`)).toMatch(/ 400 [^]*Content-Type/);
  });

  it('does not parse an unread body as the next request', async () => {
    const hidden = 'GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    const answer = await talk(
      `POST /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it('sends 100 Continue only to callers that may send a body', async () => {
    const head =
      'POST /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 12\r\n';
    expect(await talk(`${head}\r\n{"text":"a"}`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await talk(`${head}X-API-Key: ${newApiKey(fakes).key}\r\n\r\n{"text":"a"}`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /,
    );
  });

  /** As every HTTP client of Java offers HTTP/2 over plain HTTP. */
  const offering = (protocol: string) =>
    `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAEAAEAAAAIAAAAA\r\n`;
  /** The statuses of requests that follow each other on one connection, each sent after the answer to the one before. */
  const statusesOf = (requests: readonly string[], origin = url): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const left = [...requests];
      const statuses: string[] = [];
      const socket = connect(Number(new URL(origin).port), '127.0.0.1', () =>
        socket.write(left.shift() ?? ''),
      );
      socket.on('error', reject).on('end', () => resolve(statuses));
      socket.on('data', (data) => {
        statuses.push(...(data.toString().match(/(?<=HTTP\/1\.1 )\d+/g) ?? []));
        if (left.length > 0) socket.write(left.shift() ?? '');
        else socket.end();
      });
    });

  it.each(['h2c', 'websocket', 'h2c, websocket', 'TLS/1.0'])(
    'RFC 9110 7.8: ignores Upgrade: %s of requests with a body, and keeps the connection, on every origin',
    async (protocol) => {
      const post = (target: string, rest: string) =>
        `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${offering(protocol)}${rest}`;
      const key = `X-API-Key: ${newApiKey(fakes).key}\r\n`;
      const whole = post('/v1/widgets', `${key}Content-Length: 12\r\n\r\n{"text":"a"}`);
      const chunked = post(
        '/v1/widgets',
        `${key}Transfer-Encoding: chunked\r\n\r\nc\r\n{"text":"a"}\r\n0\r\n\r\n`,
      );
      expect(await statusesOf([whole, chunked, whole])).toEqual(['201', '201', '201']);
      const visit = post('/0123456789abcdefghijkl/burn', 'Content-Length: 2\r\n\r\n{}');
      expect(await statusesOf([visit, visit], linkUrl)).toEqual(['200', '200']);
    },
  );

  it('RFC 9110 7.8: ignores Upgrade: h2c of a request without a body, and keeps the connection', async () => {
    const get = `GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n${offering('h2c')}\r\n`;
    expect(await statusesOf([get, get])).toEqual(['200', '200']);
  });

  const read = () =>
    `GET /v1/widgets/${spk()} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${newApiKey(fakes).key}\r\n\r\n`;

  it('answers a complete request before malformed bytes after it, because the answer may hold the only copy of a secret', async () => {
    const answer = await talk(`${read()}garbage\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it.each([
    ['an invalid transfer coding', () => url, 'xchunked', / 400 [^]*Transfer-Encoding[^]*must be chunked/],
    ['an invalid chunk, to an unknown route', () => linkUrl, 'chunked', / 404 [^]*NOT_FOUND/],
  ])('sends an answer that precedes malformed bytes: %s', async (_, origin, coding, given) => {
    const answer = await talk(
      `POST /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: ${coding}\r\n\r\nzz\r\n{"text":"a"}\r\n0\r\n\r\n`,
      origin(),
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
    expect(answer).toMatch(given);
  });

  it('answers a caller that closes its sending side after the request', async () => {
    const ask = () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(
          { port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true },
          () => socket.end(read()),
        );
        let text = '';
        socket
          .on('data', (data) => (text += data.toString()))
          .on('end', () => resolve(text))
          .on('error', reject);
      });
    const answer = await retryRateLimited(ask, isRefused);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ['more than 100 headers', Array.from({ length: 101 }, (_, i) => `X-${i}: a\r\n`).join('')],
    ['an unsupported transfer coding', 'Transfer-Encoding: gzip, chunked\r\n'],
    ['an invalid Host', 'Host: a b/<>\r\n'],
  ])('refuses %s with 400 before any processing', async (_, headers) => {
    const host = headers.startsWith('Host') ? '' : 'Host: 127.0.0.1\r\n';
    const answer = await talk(`GET /v1/health HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*VALIDATION_ERROR/);
  });

  it('OPEN-06: sends no 100 Continue for a body that is too large', async () => {
    const head = `POST /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${newApiKey(fakes).key}\r\n`;
    const answer = await talk(`${head}Expect: 100-continue\r\nContent-Length: 3000000\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('MISC-01: survives a CONNECT that is reset or held open', async () => {
    const open = () =>
      new Promise<ReturnType<typeof connect>>((resolve) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
          socket.write('CONNECT a:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', () => resolve(socket)),
        );
      });
    for (let i = 0; i < 20; i += 1) (await open()).resetAndDestroy();
    const held = (await open()).resume();
    await new Promise((resolve) => held.once('close', resolve));
    expect(await api(url).send({ method: 'GET', target: '/v1/health' })).toMatchObject({ status: 200 });
  });

  it('cuts off a refused endless body after the answer has arrived', async () => {
    const answer = await talk(
      `POST /v1/widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*Connection: close/);
  });
});

describe('MISC-01: a gateway that shuts down', () => {
  it('finishes pending calls, then stops listening', async () => {
    const copy = await harness.start(fixtureGateway, fixtureSettings);
    const caller = api(urlOf(copy), { key: newApiKey(fakes).key });
    let release: () => void = () => undefined;
    const waits = new Promise<void>((waiting) => {
      fakes.beforeAnswer = () => {
        waiting();
        return new Promise((resolve) => (release = resolve));
      };
    });
    const underWay = caller.call(widgets.createWidget, { body: { text: 'held', size: 1 } });
    await waits;
    const stopped = copy.stop();
    release();
    expect((await underWay).status).toBe(201);
    await stopped;
    await expect(caller.send({ method: 'GET', target: '/v1/health' })).rejects.toMatchObject({
      code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/),
    });
  });
});

describe('ENV-30 ENV-40: a service that fails or is down', () => {
  it('makes a call 500 without its cause', async () => {
    const answer = await withKey().call(widgets.createWidget, { body: { text: 'bug', size: 1 } });
    expect(answer).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(answer.body.toString()).not.toContain('hunter2');
  });

  it('TRAP 73 ENV-30 ENV-40: makes its routes 500, but 401, 400 and other routes still work', async () => {
    const post = (caller: Api, body: unknown = widget) =>
      caller.send({ method: 'POST', target: '/v1/absent-widgets', body });
    expect(await post(withKey())).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(await post(api(url))).toMatchObject({ status: 401 });
    expect(await post(withKey(), {})).toMatchObject({ status: 400 });
  });

  it('makes a call 500 that it has not answered within CALL_TIMEOUT_MS', async () => {
    const hasty = urlOf(await harness.start(fixtureGateway, { ...fixtureSettings, CALL_TIMEOUT_MS: '1000' }));
    const { key } = newApiKey(fakes, {});
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    fakes.beforeAnswer = () => held;
    const late = await api(hasty, { key }).call(widgets.createWidget, { body: { text: 'held', size: 1 } });
    answer();
    expect(late).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
  });
});
