import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, assertHeaders, retryRateLimited, send } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;
beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  url = urlOf(await harness.start(fixtureGateway, fixtureSettings));
});

const get = (target: string) =>
  retryRateLimited(
    () => send(url, { method: 'GET', target }),
    ({ status }) => status === 429,
  );
const USAGE = '/console/usage';
const CLIENT = '/console/sign-in.json';

describe('OPEN-65: the console', () => {
  it('is one page for everybody, and asks no service', async () => {
    const callsBefore = fakes.calls.length;
    const page = await get(USAGE);
    assertHeaders(page);
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect((await get(`${USAGE}?type=spark_read`)).body.equals(page.body)).toBe(true);
    expect(fakes.calls).toHaveLength(callsBefore);
  });

  it('may be stored for five minutes', async () => {
    expect((await get(USAGE)).headers['cache-control']).toBe('public, max-age=300');
  });

  it('loads and runs only its own script and style, by their hashes, and sends requests to its own origin only', async () => {
    const { headers, body } = await get(USAGE);
    const html = body.toString();
    const hashOf = (name: string) => {
      const [, text = ''] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(html) ?? [];
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; connect-src 'self'; ` +
        `img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(html).not.toMatch(/(src|href)="(?!data:,")/);
    expect(html).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)=/i);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('is smaller than 105,000 bytes, charts and client included', async () => {
    expect((await get(USAGE)).body.byteLength).toBeLessThan(105_000);
  });

  it.each([`${USAGE}/`, '/Console/usage', '/console/USAGE', '/console', '/console/', `${CLIENT}/`])(
    'OPEN-55: GET %s is an enveloped 404',
    async (target) => {
      expect(await api(url).send({ method: 'GET', target })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      });
    },
  );

  it.each(['HEAD', 'POST', 'PUT', 'DELETE'])('OPEN-55: %s is 404', async (method) => {
    for (const target of [USAGE, CLIENT]) expect((await send(url, { method, target })).status).toBe(404);
  });

  it('OPEN-10: is not counted, unlike the call of a service behind it', async () => {
    expect((await get(USAGE)).headers).not.toHaveProperty('ratelimit-policy');
    expect((await get(CLIENT)).headers['ratelimit-policy']).toMatch(/^"address";q=\d+;w=60$/);
  });
});

describe('OPEN-47 OPEN-65: GET /console/sign-in.json', () => {
  it('names issuer, endpoint and client of the authorization request, and nothing else', async () => {
    fakes.signInClient = {
      issuer: 'https://login.test',
      authorization_endpoint: 'https://login.test/auth',
      client_id: 'vaultsvc-test',
      redirect_uri: 'https://api.test/console/callback',
    };
    const { status, headers, body } = await get(CLIENT);
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    expect(JSON.parse(body.toString())).toEqual(fakes.signInClient);
  });

  it('is an enveloped 500 while the identity provider is down', async () => {
    fakes.signInClient = undefined;
    expect(await api(url).send({ method: 'GET', target: CLIENT })).toMatchObject({
      status: 500,
      error: { code: 'INTERNAL_ERROR' },
    });
  });
});
