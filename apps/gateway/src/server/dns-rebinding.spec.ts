import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { fixtureGateway, fixtureSettings, linkUrlOf, newApiKey } from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let urls: string[];
beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  const settings = { ...fixtureSettings, API_ORIGIN: 'https://tunnel.test' };
  const gateway = await harness.start(fixtureGateway, settings);
  urls = [urlOf(gateway), linkUrlOf(gateway, 'link'), linkUrlOf(gateway, 'files')];
});

describe('OPEN-55: a page whose name resolves to the local stack (DNS rebinding)', () => {
  it.each([
    ['GET', '/v1/health'],
    ['GET', '/docs'],
    ['GET', '/v1/openapi.json'],
    ['GET', '/0123456789abcdefghijkl'],
    ['POST', '/v1/widgets'],
    ['POST', '/0123456789abcdefghijkl/open'],
    ['OPTIONS', '/v1/widgets'],
    ['GET', '/v1/nothing'],
  ])('gets an enveloped 403 on every origin: %s %s', async (method, target) => {
    const { key } = newApiKey(fakes);
    for (const url of urls)
      expect(
        await api(url, { key, headers: { Host: 'evil.test:8080' } }).send({ method, target }),
      ).toMatchObject({
        status: 403,
        error: { code: 'FORBIDDEN', message: expect.stringContaining('localhost') },
      });
  });

  it('does not keep loopback names and the configured origin from the stack', async () => {
    for (const Host of ['localhost', 'tunnel.test', '127.0.0.1'])
      expect(
        await api(urls[0] as string, { headers: { Host } }).send({ method: 'GET', target: '/v1/health' }),
      ).toMatchObject({ status: 200 });
  });
});

describe('ENV-43: in the local profile a page', () => {
  const opening = (headers: Record<string, string>) =>
    api(urls[0] as string).send({
      method: 'POST',
      target: '/v1/open-widgets',
      body: '{"text":"a"}',
      headers: { 'Content-Type': 'text/plain', ...headers },
    });

  it('of an unlisted origin is refused with 403 and no CORS headers, where its browser sends no preflight', async () => {
    const refused = await opening({ Origin: 'https://evil.test' });
    expect(refused).toMatchObject({
      status: 403,
      error: { message: expect.stringContaining('CORS_ORIGINS') },
    });
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('of a listed origin reads its response, errors included', async () => {
    const answer = await opening({ Origin: 'https://app.test' });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.test');
  });
});
