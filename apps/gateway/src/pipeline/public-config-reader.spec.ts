import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readDeployment } from '@vaultsvc/contracts/gateway';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, succeeded } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const client = {
  issuer: 'https://login.test',
  authorization_endpoint: 'https://login.test/auth',
  client_id: 'vaultsvc-test',
  redirect_uri: 'https://api.test/console/callback',
};
let fakes: FakeServices;
let url: string;
beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  const settings = {
    API_ORIGIN: 'https://api.test',
    FORGE_ORIGIN: 'https://forge.test',
    LINK_ORIGIN: 'https://link.test',
    FILES_ORIGIN: 'https://files.test',
  };
  url = urlOf(await harness.start(fixtureGateway, { ...fixtureSettings, ...settings }));
});
beforeEach(() => void (fakes.signInClient = client));

const read = async () => succeeded(await api(url).call(readDeployment, {}));

describe('OPEN-33: GET /v1/config', () => {
  it('names the origins and the build to callers without a credential', async () => {
    expect(await read()).toMatchObject({
      api_version: '9.9.9',
      origins: {
        api: 'https://api.test',
        forge: 'https://forge.test',
        links: 'https://link.test',
        files: 'https://files.test',
      },
    });
  });

  it('SPK-02 ING-02 FRG-11 OPEN-06: names the limits of requests', async () => {
    const { limits } = await read();
    expect(limits).toMatchObject({
      body_bytes: 2_097_152,
      spark_payload_bytes: 256_000,
      spark_ttl_minutes: 1_440,
      ingot_size_bytes: 5_497_558_138_880,
      chunk_size_bytes: 52_428_800,
      recipients: 500,
    });
    expect(Object.values(limits).every((limit) => Number.isInteger(limit) && limit > 0)).toBe(true);
  });

  it('OPEN-47: names what a browser client needs to sign a person in, and nothing else', async () => {
    expect(await read()).toMatchObject({ features: { sign_in: true } });
    expect((await read()).sign_in).toEqual({
      ...client,
      scopes: ['openid', 'email', 'profile'],
      code_challenge_method: 'S256',
    });
  });

  it('OPEN-47: answers while the identity provider does not', async () => {
    fakes.signInClient = undefined;
    expect(await read()).toMatchObject({
      sign_in: null,
      features: { sign_in: false },
      origins: { api: 'https://api.test' },
    });
  });

  it('OPEN-10: counts on the address of the caller', async () => {
    const { headers } = await api(url).send({ method: 'GET', target: '/v1/config' });
    expect(headers['ratelimit-policy']).toMatch(/^"address";/);
  });
});
