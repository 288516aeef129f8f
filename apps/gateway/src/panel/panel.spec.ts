import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, retryRateLimited, send } from '@vaultsvc/testing/http';
import { fakeServices } from '../testing/fake-services.js';
import { fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';
import { frameOrigin } from '../frame-origin.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const frames = {
  CRMA_FRAME_ORIGINS: 'https://*.crm.example',
  CRMB_FRAME_ORIGINS: 'https://a.example,https://*.b.example',
};
let url: string;
beforeAll(async () => {
  await harness.start(fakeServices);
  url = urlOf(await harness.start(fixtureGateway, { ...fixtureSettings, ...frames }));
});

const get = (target: string) =>
  retryRateLimited(
    () => send(url, { method: 'GET', target }),
    ({ status }) => status === 429,
  );

describe('OPEN-66: the page of panels', () => {
  it.each([
    ['crma', 'https://*.crm.example'],
    ['crmb', 'https://a.example https://*.b.example'],
  ])(
    'of %s is shown in frames of its CRM, runs only its own script and calls only the API and Forge',
    async (app, ancestors) => {
      const { status, headers, body } = await get(`/panel/${app}`);
      const html = body.toString();
      const hashOf = (name: string) => {
        const [, text = ''] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(html) ?? [];
        return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
      };
      expect(status).toBe(200);
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; connect-src 'self' http://127.0.0.1:8081; ` +
          `img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}; require-trusted-types-for 'script'`,
      );
      expect(headers['x-frame-options']).toBeUndefined();
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(html).not.toMatch(/(src|href)="(?!data:,")/);
      expect(html.match(/<script/g)).toHaveLength(1);
    },
  );

  it('is smaller than 120,000 bytes, the tus client included', async () => {
    expect((await get('/panel/crma')).body.byteLength).toBeLessThan(120_000);
  });

  it.each(['/panel', '/panel/', '/panel/chatapp', '/panel/crma/', '/PANEL/crma', '/panel/CRMA'])(
    'OPEN-55: GET %s is an enveloped 404',
    async (target) => {
      expect(await api(url).send({ method: 'GET', target })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      });
    },
  );

  it('OPEN-10: is not counted', async () => {
    expect((await get('/panel/crmb')).headers).not.toHaveProperty('ratelimit-policy');
  });
});

describe('OPEN-66: an origin of frames', () => {
  it.each(['https://app.example', 'https://*.app.example', 'http://127.0.0.1:8095'])('is %s', (text) => {
    expect(frameOrigin(text)).toBe(text);
  });

  it.each(['*', 'https://*', 'https:', 'https://a.example/', "'self'", 'https://a.*.example', 'https://a b'])(
    'is not %s',
    (text) => {
      expect(() => frameOrigin(text)).toThrow();
    },
  );
});
