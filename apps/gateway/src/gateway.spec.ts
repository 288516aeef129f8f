import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { operations } from '@vaultsvc/contracts/catalog';
import { newId } from '@vaultsvc/crypto/encoding';
import { RedisConnection } from '@vaultsvc/limits';
import type { RunningService } from '@vaultsvc/service';
import { startHarness, type Harness } from '@vaultsvc/testing/harness';
import { api, type Api } from '@vaultsvc/testing/http';
import { Backing, backingService } from './backing/backing.service.js';
import * as things from './backing/things.js';
import { fundsRecord, newApiKey, newSession, newSigner, urlOf, type Signer } from './backing/world.js';
import { gatewayOver } from './gateway.service.js';

const settings = {
  HTTP_PORT: '0',
  CORS_ORIGINS: 'https://app.test',
  BUILD_VERSION: '9.9.9',
  LOG_LEVEL: 'silent',
};
const definition = gatewayOver([
  ...operations.filter(({ service }) => service === 'gateway'),
  ...things.thingOperations,
]);

let harness: Harness;
let gateway: RunningService;
let backing: Backing;
let signer: Signer;
let url: string;
let redis: RedisConnection;

beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  backing = (await harness.start(backingService)).context.get(Backing);
  signer = await newSigner(backing);
  gateway = await harness.start(definition, settings);
  redis = gateway.context.get(RedisConnection);
  url = urlOf(gateway);
});
afterAll(() => harness.stop());

const withKey = (changes = {}): Api & { accountId: string } => {
  const { key, record } = newApiKey(backing, changes);
  return { ...api(url, { key }), accountId: record.accountId as string };
};
const thing = { text: 'a', size: 7 };
const spk = () => newId('spk_').slice(0, -1) + '1';

describe('ENV-01 ENV-03 ENV-04 ENV-06 ENV-07 ENV-08: a call gets through, enveloped', () => {
  it('ENV-38: with the reply in data and exactly the documented meta', async () => {
    const answer = await withKey().call(things.makeThing, { body: thing });
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({ text: 'a', size: 7, caller: 'api_key' });
    expect(Object.keys(answer.meta ?? {}).sort()).toEqual([
      'api_version',
      'pools',
      'quota',
      'request_id',
      'response_ms',
      'timestamp',
    ]);
    expect(answer.meta?.api_version).toBe('9.9.9');
  });

  it('ENV-09 ENV-10: quota when authenticated, pools when billable, neither otherwise', async () => {
    const caller = withKey();
    const read = await caller.call(things.readThing, { params: { thing_id: spk() } });
    expect(read.meta).toHaveProperty('quota');
    expect(read.meta).not.toHaveProperty('pools');
    const open = await api(url).call(things.openThing, { body: thing });
    expect(open.meta).not.toHaveProperty('quota');
    expect(open.meta).not.toHaveProperty('pools');
    const refused = await caller.call(things.makeThing, { body: { text: 'SPARK_READ_IN_FLIGHT', size: 1 } });
    expect(refused).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
  });

  it('ENV-11 ENV-12 OPEN-03: pools with pct and state, bandwidth with the end of its cycle', async () => {
    const answer = await withKey().call(things.makeThing, { body: thing });
    const meta = answer.meta as { pools: object };
    expect(meta.pools).toEqual({
      storage: { used: 1, limit: 10, pct: 0.1, state: 'ok' },
      bandwidth: { used: 30, limit: 40, pct: 0.75, state: 'notice', cycle_resets_at: 1_900_000_000 },
      identity: { used: 5, limit: 5, pct: 1, state: 'exhausted' },
    });
  });

  it('OPEN-58: the handler learns the plan and what is exhausted', async () => {
    const caller = withKey();
    backing.funds.set(caller.accountId, fundsRecord({ plan: 'none', storage: { used: 9, limit: 9 } }));
    await caller.call(things.makeThing, { body: { text: 'funds', size: 1 } });
    expect(backing.asked.at(-1)?.context.funds).toEqual({ plan: 'none', exhausted: ['storage'] });
  });

  it('ENV-42: 204 has no body', async () => {
    expect(await withKey().call(things.dropThing, { params: { thing_id: spk() } })).toMatchObject({
      status: 204,
    });
  });

  it('ENV-07: a hundred calls, a hundred ids; a given one is not taken over', async () => {
    const caller = withKey();
    const ids = await Promise.all(
      Array.from(
        { length: 100 },
        async () =>
          (await caller.send({ method: 'GET', target: '/v1/things', headers: { 'X-Request-Id': 'mine' } }))
            .meta?.request_id,
      ),
    );
    expect(new Set(ids).size).toBe(100);
  });

  it('OPEN-56: a bare document has no envelope and may be cached', async () => {
    const answer = await api(url).call(things.bareThing, {});
    expect(answer.data).toEqual({ number: 1 });
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
  });

  it('OPEN-10 OPEN-56: health needs nothing and counts nothing', async () => {
    const answer = await api(url).send({ method: 'GET', target: '/v1/health' });
    expect(answer).toMatchObject({ status: 200, data: { status: 'ok' } });
    expect(answer.headers.ratelimit).toBeUndefined();
  });
});

describe('who may come in', () => {
  it.each([
    ['nothing', {}],
    ['an empty key', { 'X-API-Key': '' }],
    ['a random key', { 'X-API-Key': 'vk_live_nonsense' }],
    ['another scheme', { Authorization: 'Basic YTpi' }],
    ['a bearer that is no token', { Authorization: 'Bearer abc' }],
    ['a token of junk', { Authorization: 'Bearer a.b.c' }],
  ])('ENV-21 MISC-07: %s is 401', async (_, headers) => {
    expect(await api(url).send({ method: 'GET', target: '/v1/things', headers })).toMatchObject({
      status: 401,
      error: { code: 'AUTHENTICATION_ERROR' },
    });
  });

  it('ENV-21: a well-formed key that auth does not know is 401, and so is a revoked or expired one', async () => {
    const { key } = newApiKey(new Backing());
    expect(await api(url, { key }).call(things.listThings, { query: {} as never })).toMatchObject({
      status: 401,
    });
    for (const changes of [{ status: 'revoked' as const }, { expiresAt: 5 }]) {
      expect(await withKey(changes).call(things.listThings, { query: {} as never })).toMatchObject({
        status: 401,
      });
    }
  });

  it('AMB-44: X-API-Key decides, a bad one is not saved by a good token', async () => {
    const { jwt } = await newSession(backing, signer);
    const both = api(url, { jwt, key: 'vk_live_bad' });
    expect(await both.send({ method: 'GET', target: '/v1/things' })).toMatchObject({ status: 401 });
    const { key } = newApiKey(backing);
    expect(await api(url, { key, jwt: 'a.b.c' }).send({ method: 'GET', target: '/v1/things' })).toMatchObject(
      { status: 200 },
    );
  });

  it('ENV-38: a full session comes in by its token, with role and user from the record', async () => {
    const { jwt, record } = await newSession(backing, signer, { role: 'member' });
    const answer = await api(url, { jwt }).call(things.makeThing, { body: thing });
    expect(answer.data).toMatchObject({ caller: 'session', account_id: record.accountId });
    expect(backing.asked.at(-1)?.context.credential).toMatchObject({ role: 'member', userId: record.userId });
  });

  it('AUTH-34 AMB-17 ENV-39: admin routes take API keys, admins and owners, and refuse members 403', async () => {
    const statusAs = async (role: 'owner' | 'admin' | 'member') => {
      const { jwt } = await newSession(backing, signer, { role });
      return (await api(url, { jwt }).call(things.adminThing, { body: thing })).status;
    };
    expect([await statusAs('owner'), await statusAs('admin'), await statusAs('member')]).toEqual([
      200, 200, 403,
    ]);
    expect(await withKey().call(things.adminThing, { body: thing })).toMatchObject({ status: 200 });
  });

  it('AUTH-33 AMB-19: an identity-only session is 403 on account routes; keys and full sessions are 403 where it belongs', async () => {
    const identity = await newSession(backing, signer, {
      kind: 'identity',
      accountId: null,
      userId: newId('idn_'),
    });
    const full = await newSession(backing, signer);
    const as = (jwt: string) => api(url, { jwt });
    expect(await as(identity.jwt).call(things.makeThing, { body: thing })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    expect(await as(identity.jwt).call(things.sessionThing, {})).toMatchObject({ status: 403 });
    expect(await as(identity.jwt).call(things.signUpThing, {})).toMatchObject({
      status: 200,
      data: { caller: 'identity' },
    });
    expect(await as(full.jwt).call(things.signUpThing, {})).toMatchObject({ status: 403 });
    expect(await withKey().call(things.signUpThing, {})).toMatchObject({ status: 403 });
  });

  it('AMB-17 DOM-01: a route for sessions refuses an API key 403', async () => {
    expect(await withKey().call(things.sessionThing, {})).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    const { jwt } = await newSession(backing, signer);
    expect(await api(url, { jwt }).call(things.sessionThing, {})).toMatchObject({ status: 200 });
  });
});

describe('AMB-13: which error comes first', () => {
  const huge = Buffer.alloc(3 * 1_024 * 1_024, 'a');

  it('TRAP 68 ENV-40: 401 before the body is looked at', async () => {
    for (const body of ['{', huge]) {
      expect(await api(url).send({ method: 'POST', target: '/v1/things', body })).toMatchObject({
        status: 401,
      });
    }
  });

  it('413 and malformed JSON before 403, 403 before validation', async () => {
    const { jwt } = await newSession(backing, signer, { role: 'member' });
    const post = (body: unknown) =>
      api(url, { jwt }).send({ method: 'POST', target: '/v1/admin-things', body });
    expect(await post(huge)).toMatchObject({ status: 413, error: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(await post('{')).toMatchObject({ status: 400 });
    expect(await post({ text: 5 })).toMatchObject({ status: 403 });
  });

  it('OPEN-61: role, then vault token, then vault, then validation', async () => {
    const vault = newId('vlt_');
    const post = (vat: string | undefined, body: unknown, id = vault) =>
      withKey().send({
        method: 'POST',
        target: `/v1/vaults/${id}/things`,
        body,
        headers: vat === undefined ? {} : { 'X-Vault-Access-Token': vat },
      });
    const invalid = { text: 5 };
    expect(await post(undefined, invalid)).toMatchObject({
      status: 401,
      error: { code: 'AUTHENTICATION_ERROR' },
    });
    expect(await post('unknown', invalid)).toMatchObject({ status: 401 });
    expect(await post('no-vault', invalid)).toMatchObject({ status: 404 });
    expect(await post('good', invalid, 'vlt_malformed')).toMatchObject({ status: 404 });
    expect(await post('good', invalid)).toMatchObject({ status: 400 });
    expect(await post('good', thing)).toMatchObject({ status: 200 });
    const question = backing.asked.findLast(({ operation }) => operation === 'vault-session');
    expect(question?.input).toEqual({ vault_id: vault, vat: 'good', level: 'write' });
  });

  it('OPEN-55 AMB-58: a malformed id answers as an unknown one does, after the query', async () => {
    const caller = withKey();
    const get = (target: string) => caller.send({ method: 'GET', target });
    const unknown = await get(`/v1/things/${newId('spk_').slice(0, -1)}0`);
    expect(unknown).toMatchObject({ status: 404, error: { code: 'NOT_FOUND', message: 'Spark not found.' } });
    for (const id of ['spk_1', '%ZZ', '%ff', 'a%2Fb', '%00', `${spk()}x`])
      expect((await get(`/v1/things/${id}`)).error).toEqual(unknown.error);
    expect(await caller.send({ method: 'DELETE', target: '/v1/things/spk_1' })).toMatchObject({
      status: 204,
    });
  });
});

describe('ENV-20 ENV-29: bad input', () => {
  it.each([
    ['wrong types', { text: 5 }, undefined],
    ['an array', [], undefined],
    ['text that is no JSON', '{"text":', undefined],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), undefined],
    ['nesting without end', '['.repeat(100_000), undefined],
    ['another content type', 'text=a', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a compressed body', '{}', { 'Content-Encoding': 'gzip' }],
    ['nothing', undefined, undefined],
    ['TRAP 67: a number as text', { text: 'a', size: '7' }, undefined],
  ])('%s is 400 VALIDATION_ERROR', async (_, body, headers) => {
    const answer = await withKey().send({ method: 'POST', target: '/v1/things', body, headers });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });

  it('TRAP 66 AMB-51: unknown properties are ignored', async () => {
    const answer = await withKey().send({
      method: 'POST',
      target: '/v1/things',
      body: '{"text":"a","more":1,"__proto__":{"x":1}}',
    });
    expect(answer).toMatchObject({ status: 201, data: { text: 'a', size: 7 } });
  });

  it("OPEN-06: the cap is the contract's, by declared and by true length, to the byte", async () => {
    const body = (bytes: number) => JSON.stringify({ text: 'a'.repeat(bytes - '{"text":""}'.length) });
    const cap = 64 * 1_024;
    const post = (text: string, chunked: boolean) =>
      api(url).send({
        method: 'POST',
        target: '/v1/open-things',
        body: text,
        headers: chunked ? { 'Transfer-Encoding': 'chunked' } : {},
      });
    expect((await post(body(cap), false)).status).toBe(200);
    for (const chunked of [false, true])
      expect(await post(body(cap + 1), chunked)).toMatchObject({
        status: 413,
        error: { code: 'PAYLOAD_TOO_LARGE' },
      });
  });

  it('TRAP 6: the default cap lets 256,000 escaped bytes through', async () => {
    const text = '\\u0041'.repeat(256_000);
    expect(
      await withKey().send({ method: 'POST', target: '/v1/things', body: `{"text":"${text}"}` }),
    ).toMatchObject({ status: 201 });
  });

  it('a repeated or malformed query parameter is 400', async () => {
    for (const query of ['limit=1&limit=2', 'limit=1e1', 'limit=0', 'cursor=a&cursor=b', 'colour=green']) {
      expect(await withKey().send({ method: 'GET', target: `/v1/things?${query}` })).toMatchObject({
        status: 400,
      });
    }
  });
});

describe('ENV-26 OPEN-55 TRAP 14 TRAP 71: what is not there', () => {
  it.each([
    '/',
    '/things',
    '/v1',
    '/v1/nothing',
    '/v1/things/',
    '/V1/things',
    '/v1/%ZZ',
    '/%',
    '//v1/things',
    '/v1/things/a/b/c',
    '/v1/health/',
    '/favicon.ico',
  ])('GET %s is an enveloped 404, authenticated or not', async (target) => {
    for (const caller of [api(url), withKey()])
      expect(await caller.send({ method: 'GET', target })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    '%s on a path that declares others is 404',
    async (method) => {
      const target = method === 'POST' || method === 'DELETE' ? '/v1/health' : '/v1/things';
      expect(await withKey().send({ method, target })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      });
    },
  );

  it('OPEN-55: HEAD is 404 without a body and reaches no handler', async () => {
    const asked = backing.asked.length;
    for (const target of ['/v1/things', `/v1/things/${spk()}`, '/v1/health', '/docs']) {
      expect(await withKey().send({ method: 'HEAD', target })).toMatchObject({ status: 404 });
    }
    expect(backing.asked).toHaveLength(asked);
  });
});

describe('OPEN-49 OPEN-54: browsers', () => {
  it('OPTIONS is 204 before authentication, counts nothing, and answers listed origins', async () => {
    for (const target of ['/v1/things', '/v1/nothing', '*']) {
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
          'Authorization, Content-Type, X-API-Key, X-VK-Client, X-Vault-Access-Token, X-Request-Id',
        vary: 'Origin',
      });
      expect(listed.headers.ratelimit).toBeUndefined();
    }
    const foreign = await api(url).send({
      method: 'OPTIONS',
      target: '/v1/things',
      headers: { Origin: 'https://evil.test' },
    });
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('answers and errors carry CORS for listed origins only', async () => {
    const get = (caller: Api, origin: string) =>
      caller.send({ method: 'GET', target: '/v1/things', headers: { Origin: origin } });
    for (const caller of [withKey(), api(url)]) {
      const { headers } = await get(caller, 'https://app.test');
      expect(headers['access-control-allow-origin']).toBe('https://app.test');
      expect(headers['access-control-expose-headers']).toBe(
        'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy',
      );
      expect((await get(caller, 'https://evil.test')).headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('OPEN-55: what the HTTP parser refuses', () => {
  /** Everything the server sends on a connection until it closes it. */
  const talk = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket
        .on('data', (data) => (answer += data.toString()))
        .on('end', () => resolve(answer))
        .on('error', reject);
    });

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'BURN /v1/things HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['two lengths', 'POST /v1/things HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'length and chunks',
      'POST /v1/things HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a header too long', `GET /v1/things HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s is an enveloped 400 and the end of the connection', async (_, text) => {
    const answer = await talk(text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('Connection: close');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      error: { code: 'VALIDATION_ERROR' },
      meta: { api_version: '9.9.9' },
    });
  });

  it('a request without Host is an enveloped 400; an absolute target is understood', async () => {
    expect(await talk('GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*VALIDATION_ERROR/,
    );
    expect(await talk('GET http://a/v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  it('security.md 8: two Hosts or two content types are an enveloped 400', async () => {
    const close = 'Connection: close\r\n\r\n';
    expect(await talk(`GET /v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}`)).toMatch(
      / 400 [^]*VALIDATION_ERROR/,
    );
    const types = 'Content-Type: application/json\r\nContent-Type: text/plain\r\n';
    const head = `POST /v1/open-things HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n${types}`;
    expect(await talk(`${head}${close}{"text":"a"}`)).toMatch(/ 400 [^]*Content-Type/);
  });

  it('an unread body does not become the next request', async () => {
    const hidden = 'GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n';
    const answer = await talk(
      `POST /v1/things HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}GET /v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it('100 Continue is sent only to whoever may send a body', async () => {
    const head =
      'POST /v1/things HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 12\r\n';
    expect(await talk(`${head}\r\n{"text":"a"}`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await talk(`${head}X-API-Key: ${newApiKey(backing).key}\r\n\r\n{"text":"a"}`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /,
    );
  });

  it('a refused endless body is cut off after the answer has arrived', async () => {
    const answer = await talk(
      `POST /v1/things HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*Connection: close/);
  });
});

describe('ENV-23 ENV-24 ENV-25 ENV-26 ENV-27 AMB-12: errors of services arrive with their status and details', () => {
  it.each([
    ['PLAN_REQUIRED', 402, 'PLAN_REQUIRED'],
    ['QUOTA_EXCEEDED', 402, 'QUOTA_EXCEEDED'],
    ['SPARK_BURNED', 403, 'FORBIDDEN'],
    ['KINDLING_NOT_FOUND', 404, 'NOT_FOUND'],
    ['SPARK_READ_IN_FLIGHT', 409, 'CONFLICT'],
    ['PAYLOAD_TOO_LARGE', 413, 'PAYLOAD_TOO_LARGE'],
  ])('%s is %i %s', async (text, status, code) => {
    const answer = await withKey().call(things.makeThing, { body: { text, size: 1 } });
    expect(answer).toMatchObject({ status, error: { code, details: { resource: 'storage' } } });
  });

  it('ENV-30: one that the contract does not declare is 500 without details', async () => {
    const answer = await withKey().call(things.makeThing, { body: { text: 'API_KEY_NOT_FOUND', size: 1 } });
    expect(answer).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(answer.error).not.toHaveProperty('details');
  });
});

describe('MISC-01: a gateway that is told to stop', () => {
  it('finishes what is under way, then is gone', async () => {
    const copy = await harness.start(definition, settings);
    const caller = api(urlOf(copy), { key: newApiKey(backing).key });
    let release: () => void = () => undefined;
    const waits = new Promise<void>((waiting) => {
      backing.held = () => {
        waiting();
        return new Promise((resolve) => (release = resolve));
      };
    });
    const underWay = caller.call(things.makeThing, { body: { text: 'held', size: 1 } });
    await waits;
    const stopped = copy.stop();
    release();
    expect((await underWay).status).toBe(201);
    await stopped;
    await expect(caller.send({ method: 'GET', target: '/v1/health' })).rejects.toThrow(
      /ECONNREFUSED|socket hang up/,
    );
  });
});

describe('ENV-30 ENV-40: services that fail or are gone', () => {
  it('a fault is 500 without a word of its cause', async () => {
    const answer = await withKey().call(things.makeThing, { body: { text: 'bug', size: 1 } });
    expect(answer).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(answer.body.toString()).not.toContain('hunter2');
  });

  it('TRAP 73 ENV-30 ENV-40: with the service stopped its route is 500, but 401, 400 and the others still work', async () => {
    const post = (caller: Api, body: unknown = thing) =>
      caller.send({ method: 'POST', target: '/v1/absent-things', body });
    expect(await post(withKey())).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(await post(api(url))).toMatchObject({ status: 401 });
    expect(await post(withKey(), {})).toMatchObject({ status: 400 });
  });
});

describe('MISC-03: what is logged of a request', () => {
  it('is one line with the route as declared, never path, query, body or credential', async () => {
    const lines: string[] = [];
    const take = (line: unknown) => void lines.push(JSON.stringify(line));
    Logger.overrideLogger({ log: take, warn: take, error: take });
    const { key, record } = newApiKey(backing);
    const id = spk();
    const headers = { 'X-Request-Id': 'theirs-1' };
    await api(url, { key }).send({ method: 'GET', target: `/v1/things/${id}?secret=canary-query`, headers });
    await api(url, { key }).send({ method: 'POST', target: '/v1/things', body: '{"text":"canary-body"' });
    await api(url).send({ method: 'GET', target: '/v1/canary-path' });
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      method: 'GET',
      route: '/v1/things/{thing_id}',
      status: 200,
      accountId: record.accountId,
      client_request_id: 'theirs-1',
    });
    expect(lines.join('')).not.toMatch(new RegExp(`canary|${id}|${key}`));
  });
});

describe('ENV-15 ENV-16 ENV-17: cursors', () => {
  const list = (caller: Api, query: string, path = '/v1/things') =>
    caller.send({ method: 'GET', target: `${path}${query}` }) as Promise<{
      status: number;
      data: { items: { number: number }[]; next_cursor?: string; colour?: string; has_more: boolean };
    }>;

  it('ENV-13 ENV-14: lead through all pages, and are absent on the last', async () => {
    const caller = withKey();
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await list(caller, cursor ? `?cursor=${cursor}` : '');
      seen.push(...data.items.map(({ number }) => number));
      expect(data.has_more).toBe('next_cursor' in data);
      cursor = data.next_cursor;
    } while (cursor);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('are refused when changed, used by another account, or on another list', async () => {
    const caller = withKey();
    const cursor = (await list(caller, '')).data.next_cursor as string;
    const flipped = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
    expect(await list(caller, `?cursor=${flipped}`)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    });
    expect(await list(withKey(), `?cursor=${cursor}`)).toMatchObject({ status: 400 });
    expect(await list(caller, `?cursor=${cursor}`, '/v1/others')).toMatchObject({ status: 400 });
    expect(await list(caller, '?cursor=2')).toMatchObject({ status: 400 });
    expect(await list(caller, '?cursor=')).toMatchObject({ status: 400 });
  });

  it('carry their filters; a differing one beside them is refused, another limit is not', async () => {
    const caller = withKey();
    const cursor = (await list(caller, '?colour=red')).data.next_cursor;
    expect((await list(caller, `?cursor=${cursor}`)).data.colour).toBe('red');
    expect((await list(caller, `?cursor=${cursor}&colour=red&limit=3`)).data.items).toHaveLength(3);
    expect(await list(caller, `?cursor=${cursor}&colour=blue`)).toMatchObject({ status: 400 });
    const plain = (await list(caller, '')).data.next_cursor;
    expect(await list(caller, `?cursor=${plain}&colour=blue`)).toMatchObject({ status: 400 });
  });
});

describe('the limiter at the door', () => {
  const list = { method: 'GET', target: '/v1/things' };

  it('ENV-32 ENV-34 ENV-35 ENV-37: 300 calls of any outcome, then 429 with what is documented, then a new window', async () => {
    const caller = withKey();
    const first = await caller.send(list);
    const { quota } = first.meta as { quota: { used: number; resets_at: number } };
    await redis.command(['SET', `rl:${caller.accountId}:${quota.resets_at}`, '298', 'KEEPTTL']);
    const unknown = { method: 'GET', target: `/v1/things/${newId('spk_').slice(0, -1)}0` };
    expect(await caller.send(unknown)).toMatchObject({ status: 404 });
    expect((await caller.send(list)).meta).toMatchObject({ quota: { limit: 300, used: 300, remaining: 0 } });
    const refused = await caller.send(unknown);
    expect(refused).toMatchObject({
      status: 429,
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: 300, used: 300, resets_at: quota.resets_at } },
    });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.headers['ratelimit-policy']).toBe('"account";q=300;w=60');
    expect(refused.headers.ratelimit).toMatch(/^"account";r=0;t=\d+$/);
    await redis.command([
      'RENAME',
      `rl:${caller.accountId}:${quota.resets_at}`,
      `rl:${caller.accountId}:${quota.resets_at - 60}`,
    ]);
    expect((await caller.send(list)).meta).toMatchObject({ quota: { used: 1, remaining: 299 } });
  });

  it('AMB-13: over the limit, 429 comes before 413, 403, 400 and 404 of an id', async () => {
    const caller = withKey();
    const { meta } = await caller.send(list);
    await redis.command([
      'SET',
      `rl:${caller.accountId}:${(meta as { quota: { resets_at: number } }).quota.resets_at}`,
      '300',
      'KEEPTTL',
    ]);
    expect(await caller.send({ method: 'POST', target: '/v1/things', body: '{' })).toMatchObject({
      status: 429,
    });
    expect(await caller.send({ method: 'GET', target: '/v1/things/x' })).toMatchObject({ status: 429 });
    expect(await caller.send({ method: 'GET', target: '/v1/nothing' })).toMatchObject({ status: 404 });
  });

  it('ENV-33: keys and sessions of one account share the counter', async () => {
    const { key, record } = newApiKey(backing);
    const { jwt } = await newSession(backing, signer, { accountId: record.accountId });
    const used = async (caller: Api) =>
      ((await caller.send(list)).meta as { quota: { used: number } }).quota.used;
    expect([await used(api(url, { key })), await used(api(url, { jwt }))]).toEqual([1, 2]);
  });

  it('ENV-32 ENV-37 MISC-08: of 1,000 parallel calls over two gateways exactly 300 pass in a window', async () => {
    const second = await harness.start(definition, settings);
    const { key } = newApiKey(backing);
    const copies = [api(url, { key }), api(urlOf(second), { key })];
    await copies[0]!.send(list); // its record is in Redis from now on
    const answers = await Promise.all(Array.from({ length: 999 }, (_, i) => copies[i % 2]!.send(list)));
    const ends = new Map<unknown, number>();
    for (const { meta, error } of answers) {
      const end =
        (meta as { quota?: { resets_at: number } }).quota?.resets_at ?? error?.details?.['resets_at'];
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    const passed = answers.filter(({ status }) => status === 200).length + 1;
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    if (ends.size === 1) expect(passed).toBe(300);
    else expect(passed).toBeLessThanOrEqual(300 * ends.size); // the minute ended meanwhile
  });

  it('OPEN-10: routes without an account count on the address', async () => {
    const answer = await api(url).call(things.openThing, { body: thing });
    expect(answer.headers['ratelimit-policy']).toBe('"address";q=600;w=60');
  });
});
