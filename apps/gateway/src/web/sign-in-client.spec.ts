import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, retryRateLimited, send } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;
beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  url = urlOf(await harness.start(fixtureGateway, fixtureSettings));
});

const CLIENT = '/console/sign-in.json';
const get = () =>
  retryRateLimited(
    () => send(url, { method: 'GET', target: CLIENT }),
    ({ status }) => status === 429,
  );

describe('OPEN-47 OPEN-65: GET /console/sign-in.json', () => {
  it('names issuer, endpoint and client of the authorization request, and nothing else', async () => {
    fakes.signInClient = {
      issuer: 'https://login.test',
      authorization_endpoint: 'https://login.test/auth',
      client_id: 'vaultsvc-test',
      redirect_uri: 'https://api.test/console/callback',
    };
    const { status, headers, body } = await get();
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    expect(JSON.parse(body.toString())).toEqual(fakes.signInClient);
  });

  it('OPEN-10: is counted on the address', async () => {
    expect((await get()).headers['ratelimit-policy']).toMatch(/^"address";q=\d+;w=60$/);
  });

  it('is an enveloped 500 while the identity provider is down', async () => {
    fakes.signInClient = undefined;
    expect(await api(url).send({ method: 'GET', target: CLIENT })).toMatchObject({
      status: 500,
      error: { code: 'INTERNAL_ERROR' },
    });
  });

  it.each(['HEAD', 'POST', 'PUT', 'DELETE'])('OPEN-55: %s is 404', async (method) => {
    expect((await send(url, { method, target: CLIENT })).status).toBe(404);
  });
});

describe('OPEN-55: the paths of the former usage page, to programs', () => {
  it.each(['/console', '/console/', '/console/usage', '/Console/usage', `${CLIENT}/`])(
    'GET %s is an enveloped 404',
    async (target) => {
      expect(await api(url).send({ method: 'GET', target })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      });
    },
  );
});
