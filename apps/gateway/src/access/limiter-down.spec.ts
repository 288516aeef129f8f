import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness, urlOf } from '@vaultsvc/testing/harness';
import { api, type Api, type ApiResponse } from '@vaultsvc/testing/http';
import { startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { eventually, until } from '@vaultsvc/testing/waiting';
import type { RunningService } from '@vaultsvc/service';
import { operations } from '@vaultsvc/contracts/catalog';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { testOperations } from '../testing/test-operations.js';
import { linkUrlOf, newApiKey, newSession, newSigner, type Signer } from '../testing/gateway-fixture.js';
import { gatewayOver } from '../service-definition.js';

let harness: Harness;
let fakes: FakeServices;
let services: RunningService;
let redis: TestServer;
let signer: Signer;
let url: string;
let linkUrl: string;

beforeAll(async () => {
  redis = await startRedis();
  harness = await startHarness({ LOG_LEVEL: 'silent', REDIS_URL: redis.url });
  services = await harness.start(fakeServices);
  fakes = services.context.get(FakeServices);
  signer = await newSigner(fakes);
  const health = operations.filter(({ service }) => service === 'gateway');
  const gateway = await harness.start(gatewayOver([...health, ...testOperations]), { HTTP_PORT: '0' });
  url = urlOf(gateway);
  linkUrl = linkUrlOf(gateway, 'link');
});
afterAll(async () => {
  await harness.stop();
  await redis.stop();
});

const post = { method: 'POST', target: '/v1/widgets', body: { text: 'a' } };
/** Fails unless a response is the 429 of a call that could not be counted: without any figure (AMB-02, ENV-44). */
function expectUncounted({ status, error, headers }: ApiResponse): void {
  expect({ status, error }).toEqual({
    status: 429,
    error: {
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'The rate limiter cannot be reached, so the request was not counted. Try again in one second.',
      details: {
        reason: 'LIMITER_UNAVAILABLE',
        docs: expect.stringMatching(/\/docs\/errors#LIMITER_UNAVAILABLE$/),
      },
    },
  });
  expect(headers['retry-after']).toBe('1');
  expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
}
/** Redis may be reachable for one service before the other, or reply late. */
const untilItPasses = (caller: () => Api) => until(async () => (await caller().send(post)).status === 201);

describe('ENV-36 ENV-44 AMB-02 OPEN-53: while the limiter cannot count', () => {
  it.each([
    ['frozen', async () => redis.pause(), async () => redis.resume()],
    ['down', async () => redis.kill('SIGKILL'), () => redis.restart()],
  ])(
    'Redis %s: calls are 429 with Retry-After 1, those without a credential 401, health stays 200, and calls succeed again afterwards',
    async (_, stop, start) => {
      const { key } = newApiKey(fakes);
      const { jwt } = await newSession(fakes, signer);
      await untilItPasses(() => api(url, { key }));
      await untilItPasses(() => api(url, { jwt }));
      const callsBefore = fakes.calls.length;
      await stop();
      for (const caller of [api(url, { key }), api(url, { jwt }), api(url, { key: newApiKey(fakes).key })]) {
        expectUncounted(await caller.send(post));
      }
      const opening = { method: 'POST', target: '/0123456789abcdefghijkl/open', body: {}, bare: true };
      expectUncounted(await api(linkUrl, { jwt }).send(opening));
      for (const anonymous of [
        await api(url).send({ ...post, target: '/v1/open-widgets' }),
        await api(url).send({ method: 'GET', target: '/v1/openapi.json' }),
        await api(linkUrl).send(opening),
      ])
        expectUncounted(anonymous);
      expect(await api(url).send(post)).toMatchObject({ status: 401 });
      expect(await api(url, { jwt: `${jwt.slice(0, -8)}AAAAAAAA` }).send(post)).toMatchObject({
        status: 401,
      });
      expect(await api(url).send({ method: 'GET', target: '/v1/health' })).toMatchObject({ status: 200 });
      expect(fakes.calls).toHaveLength(callsBefore);
      await start();
      await untilItPasses(() => api(url, { key: newApiKey(fakes).key }));
    },
  );

  it('OPEN-53 ENV-30: auth down: calls with a cached credential succeed, with an unknown one they are 500', async () => {
    const { key } = newApiKey(fakes);
    const caller = api(url, { key });
    await untilItPasses(() => caller);
    await services.stop();
    const sent = (by: Api, request: Parameters<Api['send']>[0]) =>
      eventually(
        () => by.send(request),
        ({ status }) => status !== 429,
      );
    expect(await sent(caller, { ...post, body: {} })).toMatchObject({ status: 400 });
    for (const known of [caller, api(url, { key: newApiKey(fakes).key })])
      expect(await sent(known, post)).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(await api(url).send(post)).toMatchObject({ status: 401 });
  });
});
