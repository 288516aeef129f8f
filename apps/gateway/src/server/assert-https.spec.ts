import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@vaultsvc/contracts/catalog';
import { startHarness, type Harness, urlOf } from '@vaultsvc/testing/harness';
import { api } from '@vaultsvc/testing/http';
import { gatewayOver } from '../service-definition.js';

const health = operations.filter(({ service }) => service === 'gateway');
const statusOf = async (url: string, headers = {}) =>
  (await api(url).send({ method: 'GET', target: '/v1/health', headers })).status;

describe('ENV-02 OPEN-01: plain HTTP is refused, not redirected', () => {
  let harness: Harness;
  const start = async (settings: Record<string, string>) =>
    urlOf(await harness.start(gatewayOver(health), { HTTP_PORT: '0', ...settings }));
  beforeAll(async () => {
    harness = await startHarness({ LOG_LEVEL: 'silent' });
  });
  afterAll(() => harness.stop());

  it('where HTTPS is required, as it is by default, unless a trusted proxy reports HTTPS', async () => {
    const direct = await start({ REQUIRE_HTTPS: 'true' });
    expect(await statusOf(direct)).toBe(403);
    expect(await statusOf(direct, { 'X-Forwarded-Proto': 'https' })).toBe(403);
    const proxied = await start({ REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '127.0.0.1' });
    expect(await statusOf(proxied, { 'X-Forwarded-Proto': 'https' })).toBe(200);
    expect(await statusOf(proxied, { 'X-Forwarded-Proto': 'http' })).toBe(403);
    expect(await statusOf(proxied)).toBe(403);
    const refused = await api(direct).send({ method: 'GET', target: '/v1/nothing' });
    expect(refused).toMatchObject({ status: 403, error: { code: 'FORBIDDEN', message: 'HTTPS required.' } });
    expect(refused.headers.location).toBeUndefined();
  });

  it('in the local profile only when a trusted proxy reports HTTP', async () => {
    expect(await statusOf(await start({}), { 'X-Forwarded-Proto': 'http' })).toBe(200);
    const proxied = await start({ TRUSTED_PROXIES: '127.0.0.0/8' });
    expect([await statusOf(proxied), await statusOf(proxied, { 'X-Forwarded-Proto': 'http' })]).toEqual([
      200, 403,
    ]);
  });

  it.each([
    ['another profile', { REQUIRE_HTTPS: 'false', PROFILE: 'production' }],
    ['combination with a public address', { REQUIRE_HTTPS: 'false', HTTP_HOST: '0.0.0.0' }],
  ])('and the gateway does not start with REQUIRE_HTTPS=false in %s', async (_, settings) => {
    await expect(start(settings)).rejects.toThrow('REQUIRE_HTTPS');
  });

  it('and an invalid TRUSTED_PROXIES is named in the error', async () => {
    await expect(start({ TRUSTED_PROXIES: 'proxy.example' })).rejects.toThrow(
      'TRUSTED_PROXIES must hold addresses',
    );
  });
});
