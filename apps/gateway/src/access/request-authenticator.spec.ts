import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness, useRedisInspector } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, retryRateLimited, type ApiResponse, type Api } from '@vaultsvc/testing/http';
import { until } from '@vaultsvc/testing/waiting';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import * as widgets from '../testing/test-operations.js';
import {
  limitedSettings,
  newApiKey,
  newSession,
  newSigner,
  type Signer,
  fixtureGateway,
  fixtureSettings,
} from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;
/** The gateway with the default limits. */
let limitedUrl: string;
let signer: Signer;
const redis = useRedisInspector();

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  signer = await newSigner(fakes);
  url = urlOf(await harness.start(fixtureGateway, fixtureSettings));
  limitedUrl = urlOf(await harness.start(fixtureGateway, limitedSettings));
});

/** A client of a new account. */
const withKey = (changes = {}, at = url): Api & { accountId: string } => {
  const { key, record } = newApiKey(fakes, changes);
  return { ...api(at, { key }), accountId: record.accountId as string };
};
const widget = { text: 'a', size: 7 };
const quotaIn = ({ meta }: ApiResponse) => (meta as { quota: { used: number; resets_at: number } }).quota;
describe('authentication', () => {
  it.each([
    ['nothing', {}, 'CREDENTIALS_MISSING', false],
    ['an empty key', { 'X-API-Key': '' }, 'API_KEY_MISSING', false],
    [
      'an empty key and a token',
      { 'X-API-Key': ' ', Authorization: 'Bearer a.b.c' },
      'API_KEY_MISSING',
      false,
    ],
    ['a key as a bearer', { Authorization: `Bearer vk_live_${'a'.repeat(49)}` }, 'API_KEY_AS_BEARER', true],
    ['a key without a scheme', { Authorization: 'vk_live_a' }, 'API_KEY_AS_BEARER', false],
    ['a random key', { 'X-API-Key': 'vk_live_nonsense' }, 'API_KEY_MALFORMED', false],
    ['a key and a token', { 'X-API-Key': 'a', Authorization: 'Bearer a.b.c' }, 'API_KEY_MALFORMED', false],
    ['another scheme', { Authorization: 'Basic YTpi' }, 'BEARER_MALFORMED', false],
    ['a bearer that is no token', { Authorization: 'Bearer abc' }, 'BEARER_MALFORMED', true],
    ['a token of junk', { Authorization: 'Bearer a.b.c' }, 'AUTHENTICATION_ERROR', true],
  ])(
    'ENV-21 MISC-07: refuses %s with 401 and a reason of its form only',
    async (_, headers, reason, isToken) => {
      const answer = await api(url).send({ method: 'GET', target: '/v1/widgets', headers });
      expect(answer).toMatchObject({
        status: 401,
        error: { code: 'AUTHENTICATION_ERROR', details: { reason } },
        headers: { 'www-authenticate': `Bearer realm="vaultsvc"${isToken ? ', error="invalid_token"' : ''}` },
      });
      expect(Object.keys(answer.error?.details ?? {})).toEqual(['reason', 'docs']);
    },
  );

  it.each([
    [{ 'X-API-Key': '' }, 'X-API-Key is empty: its API key is missing.'],
    [
      { Authorization: 'Bearer vk_live_a' },
      'Send the API key in X-API-Key. Authorization: Bearer is for access tokens.',
    ],
  ])('ENV-21: names the header to use after %j', async (headers, message) => {
    const answer = await api(url).send({ method: 'GET', target: '/v1/widgets', headers });
    expect(answer.error?.message).toBe(message);
  });

  it('ENV-21: asks for the access token where an API key is sent as one to an operation for people', async () => {
    const { key } = newApiKey(fakes);
    for (const { http } of [widgets.useWidgetInSession, widgets.useWidgetInSignUp]) {
      const sent = { method: http.method, target: http.path, headers: { Authorization: `Bearer ${key}` } };
      expect(await api(url).send(sent)).toMatchObject({
        status: 401,
        error: { details: { reason: 'BEARER_MISSING' } },
      });
    }
  });

  it('ENV-21: asks for the access token of a session where an API key would be refused', async () => {
    for (const op of [widgets.useWidgetInSession, widgets.useWidgetInSignUp])
      expect(await api(url).call(op, {})).toMatchObject({
        status: 401,
        error: { details: { reason: 'BEARER_MISSING' } },
      });
  });

  it('ENV-21: refuses well-formed keys and tokens with one answer, whatever is wrong with them', async () => {
    const { key: unknown } = newApiKey(new FakeServices());
    const { key: revoked } = newApiKey(fakes, { status: 'revoked' });
    const { key: expired } = newApiKey(fakes, { expiresAt: 1 });
    const { jwt: foreign } = await newSession(fakes, await newSigner(new FakeServices()));
    const { jwt: ended } = await newSession(fakes, signer, { status: 'revoked' });
    const callers = [{ key: unknown }, { key: revoked }, { key: expired }, { jwt: foreign }, { jwt: ended }];
    const errors = await Promise.all(
      callers.map(
        async (caller) => (await api(url, caller).send({ method: 'GET', target: '/v1/widgets' })).error,
      ),
    );
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(errors[0]).toMatchObject({ details: { reason: 'AUTHENTICATION_ERROR' } });
  });

  it('ENV-21: refuses an unknown, a revoked and an expired key with 401', async () => {
    const { key } = newApiKey(new FakeServices());
    expect(await api(url, { key }).call(widgets.listWidgets, { query: {} as never })).toMatchObject({
      status: 401,
    });
    for (const changes of [{ status: 'revoked' as const }, { expiresAt: 5 }]) {
      expect(await withKey(changes).call(widgets.listWidgets, { query: {} as never })).toMatchObject({
        status: 401,
      });
    }
  });

  it('AMB-44: uses X-API-Key rather than a token, also when the key is bad and the token good', async () => {
    const { jwt } = await newSession(fakes, signer);
    const both = api(url, { jwt, key: 'vk_live_bad' });
    expect(await both.send({ method: 'GET', target: '/v1/widgets' })).toMatchObject({ status: 401 });
    const { key } = newApiKey(fakes);
    expect(
      await api(url, { key, jwt: 'a.b.c' }).send({ method: 'GET', target: '/v1/widgets' }),
    ).toMatchObject({ status: 200 });
  });

  it('ENV-38: accepts the token of a full session, with role and user from its record', async () => {
    const { jwt, record } = await newSession(fakes, signer, { role: 'member' });
    const answer = await api(url, { jwt }).call(widgets.createWidget, { body: widget });
    expect(answer.data).toMatchObject({ caller: 'session', account_id: record.accountId });
    expect(fakes.calls.at(-1)?.context.credential).toMatchObject({ role: 'member', userId: record.userId });
  });

  it('AUTH-34 AMB-17 ENV-39: accepts API keys, admins and owners on admin routes, and refuses members with 403', async () => {
    const statusAs = async (role: 'owner' | 'admin' | 'member') => {
      const { jwt } = await newSession(fakes, signer, { role });
      return (await api(url, { jwt }).call(widgets.administerWidget, { body: widget })).status;
    };
    expect([await statusAs('owner'), await statusAs('admin'), await statusAs('member')]).toEqual([
      200, 200, 403,
    ]);
    expect(await withKey().call(widgets.administerWidget, { body: widget })).toMatchObject({ status: 200 });
  });

  it('AUTH-33 AMB-19: refuses identity-only sessions on account routes, and keys and full sessions on identity-only routes, with 403', async () => {
    const identity = await newSession(fakes, signer, {
      kind: 'identity',
      accountId: null,
      userId: newId('idn_'),
    });
    const full = await newSession(fakes, signer);
    const as = (jwt: string) => api(url, { jwt });
    expect(await as(identity.jwt).call(widgets.createWidget, { body: widget })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    expect(await as(identity.jwt).call(widgets.useWidgetInSession, {})).toMatchObject({ status: 403 });
    expect(await as(identity.jwt).call(widgets.useWidgetInSignUp, {})).toMatchObject({
      status: 200,
      data: { caller: 'identity' },
    });
    expect(await as(full.jwt).call(widgets.useWidgetInSignUp, {})).toMatchObject({ status: 403 });
    expect(await withKey().call(widgets.useWidgetInSignUp, {})).toMatchObject({ status: 403 });
  });

  it('AMB-17 DOM-01: refuses an API key on a session route with 403', async () => {
    expect(await withKey().call(widgets.useWidgetInSession, {})).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    const { jwt } = await newSession(fakes, signer);
    expect(await api(url, { jwt }).call(widgets.useWidgetInSession, {})).toMatchObject({ status: 200 });
  });
});

describe('the rate limiter', () => {
  const list = { method: 'GET', target: '/v1/widgets' };
  /** Retries while the shared limits of the test run are exceeded. */
  const admitted = (send: () => Promise<ApiResponse>) =>
    retryRateLimited(send, ({ status }) => status === 429);
  const execute = (command: string[]) => until(async () => (await redis.command(...command)) !== null);

  /**
   * The answers to a new caller whose window has `used` calls. Retries with another caller when the minute ends during
   * the calls, or a late Redis leaves one uncounted.
   */
  async function inOneWindow(
    used: number,
    call: (caller: ReturnType<typeof withKey>) => Promise<ApiResponse[]>,
  ): Promise<[ReturnType<typeof withKey>, resetsAt: number, ApiResponse[]]> {
    const caller = withKey({}, limitedUrl);
    const { resets_at } = quotaIn(await admitted(() => caller.send(list)));
    await execute(['SET', `rl:${caller.accountId}:${resets_at}`, String(used), 'KEEPTTL']);
    const answers = await call(caller);
    const isCounted = answers.every(
      ({ error }) => (error?.details?.['resets_at'] ?? resets_at) === resets_at,
    );
    return isCounted && Date.now() / 1_000 < resets_at
      ? [caller, resets_at, answers]
      : inOneWindow(used, call);
  }

  it('ENV-32 ENV-34 ENV-35 ENV-37: allows 300 calls of any outcome, then answers 429 with the documented details until the next window', async () => {
    const unknown = { method: 'GET', target: `/v1/widgets/${newId('spk_').slice(0, -1)}0` };
    const [caller, resetsAt, answers] = await inOneWindow(298, async (of) => [
      await of.send(unknown),
      await of.send(list),
      await of.send(unknown),
    ]);
    expect(answers).toMatchObject([
      { status: 404 },
      { meta: { quota: { limit: 300, used: 300, remaining: 0 } } },
      {
        status: 429,
        error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: 300, used: 300, resets_at: resetsAt } },
      },
    ]);
    const { headers } = answers[2] as ApiResponse;
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(headers['ratelimit-policy']).toBe('"account";q=300;w=60');
    expect(headers.ratelimit).toMatch(/^"account";r=0;t=\d+$/);
    await execute(['SET', `rl:${caller.accountId}:${resetsAt - 60}`, '300', 'EX', '60']);
    await execute(['DEL', `rl:${caller.accountId}:${resetsAt}`]);
    const { meta } = await admitted(() => caller.send(list));
    expect(meta).toMatchObject({ quota: { used: 1, remaining: 299 } });
  });

  it('AMB-13: answers 429 before 413, 403, 400 and 404 of an id', async () => {
    const [, , answers] = await inOneWindow(300, async (caller) => [
      await caller.send({ method: 'POST', target: '/v1/widgets', body: '{' }),
      await caller.send({ method: 'GET', target: '/v1/widgets/x' }),
      await caller.send({ method: 'GET', target: '/v1/nothing' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 404]);
  });

  it('ENV-33: counts keys and sessions of one account together', async () => {
    const { key, record } = newApiKey(fakes);
    const { jwt } = await newSession(fakes, signer, { accountId: record.accountId });
    const quota = async (caller: Api) => quotaIn(await admitted(() => caller.send(list)));
    const byKey = () => quota(api(limitedUrl, { key }));
    let [first, second] = [await byKey(), await quota(api(limitedUrl, { jwt }))];
    // The minute may end between the two calls; then the next pair is in one window.
    if (second.resets_at !== first.resets_at) [first, second] = [second, await byKey()];
    expect(second.used).toBe(first.used + 1);
  });

  it('ENV-32 ENV-37 MISC-08: allows exactly 300 of 1,000 parallel calls to two gateways in a window', async () => {
    const second = await harness.start(fixtureGateway, limitedSettings);
    const { key } = newApiKey(fakes);
    const gateways = [api(limitedUrl, { key }), api(urlOf(second), { key })];
    const first = await admitted(() => gateways[0]!.send(list)); // stores the record in Redis
    const answers = await Promise.all(Array.from({ length: 999 }, (_, i) => gateways[i % 2]!.send(list)));
    const ends = new Map<unknown, number>();
    for (const { meta, error } of [first, ...answers]) {
      const end =
        (meta as { quota?: { resets_at: number } }).quota?.resets_at ?? error?.details?.['resets_at'];
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    const passed = answers.filter(({ status }) => status === 200).length + 1;
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    if (ends.size === 1) expect(passed).toBe(300);
    else expect(passed).toBeLessThanOrEqual(300 * ends.size); // the minute ended during the test
  });

  it('OPEN-10: counts calls with a revoked key on the address, and answers 429 beyond its limit', async () => {
    const settings = {
      ...limitedSettings,
      RATE_LIMIT_PER_IP_PER_MINUTE: '5',
      TRUSTED_PROXIES: '127.0.0.1',
      REQUIRE_HTTPS: 'false',
    };
    const at = urlOf(await harness.start(fixtureGateway, settings));
    const { key } = newApiKey(fakes, { status: 'revoked' });
    const from = (address: string) =>
      api(at, { key, headers: { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' } });
    const statuses: number[] = [];
    // The minute may end during the test and start a new count.
    for (let calls = 0; calls < 11; calls += 1) statuses.push((await from('203.0.113.7').send(list)).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(await admitted(() => from('203.0.113.8').send(list))).toMatchObject({ status: 401 });
  });

  it('OPEN-10: counts calls without an account on the address', async () => {
    const answer = await admitted(() => api(limitedUrl).call(widgets.useWidgetPublicly, { body: widget }));
    expect(answer.headers['ratelimit-policy']).toBe('"address";q=600;w=60');
  });
});
