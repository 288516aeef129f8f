import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, assertHeaders, send } from '@vaultsvc/testing/http';
import { webFolder } from '../../../../tools/build/web.ts';
import { fakeServices } from '../testing/fake-services.js';
import { fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let url: string;
beforeAll(async () => {
  await harness.start(fakeServices);
  url = urlOf(await harness.start(fixtureGateway, { ...fixtureSettings, WEB_FOLDER: webFolder() }));
});

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
const visit = (target: string, headers: Record<string, string> = {}) =>
  send(url, { method: 'GET', target, headers: { Accept: HTML, ...headers } });
const CALLBACK = '/console/callback';

/** Scripts and styles that the page names. */
const filesOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="(\/web\/[^"]+)"/g)].map(([, path = '']) => path);

describe('OPEN-65: the web application', () => {
  it('WEB-01: is one page for browsers, at all its paths and at the redirect URI', async () => {
    const page = await visit('/app');
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    for (const target of ['/app/send', '/app/vaults/vlt_1', `${CALLBACK}?code=a&state=b`])
      expect((await visit(target)).body.equals(page.body)).toBe(true);
  });

  it.each([
    ['/', '/app'],
    ['/app/', '/app'],
    ['/app/send/', '/app/send'],
    ['/console', '/app/usage'],
    ['/console/', '/app/usage'],
    ['/console/usage', '/app/usage'],
    ['/console/usage/?type=spark_read', '/app/usage'],
  ])('is where %s leads a browser', async (target, page) => {
    expect(await visit(target)).toMatchObject({ status: 303, headers: { location: page } });
    expect((await visit(page)).status).toBe(200);
  });

  it.each([CALLBACK, '/app/integrations/chatapp/return'])(
    'is never stored under the URL that contains an authorization code: %s',
    async (path) => {
      const page = await visit(`${path}?code=secret`);
      assertHeaders(page);
      expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
      expect(page.headers).not.toHaveProperty('etag');
    },
  );

  it('is asked for again at each visit, and answered with 304 while it is the same', async () => {
    const { headers } = await visit('/app');
    expect(headers['cache-control']).toBe('public, max-age=0');
    const again = await visit('/app/sent', { 'If-None-Match': String(headers.etag) });
    expect(again).toMatchObject({ status: 304, headers: { etag: headers.etag } });
  });

  it('WEB-03: runs scripts of its folder only, none inline, and is shown in no frame', async () => {
    const { headers, body } = await visit('/app');
    const origin = 'http://127.0.0.1:8080';
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src ${origin}/web/; style-src 'self'; ` +
        `connect-src 'self' http://127.0.0.1:8081 ws://127.0.0.1:8080; img-src data:; frame-src ${origin}/web/preview.html; base-uri 'none'; form-action 'none'; ` +
        `frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
    const html = body.toString();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|<[a-z][^>]*\s(style|on[a-z]+)=/i);
    expect(html).not.toMatch(/(?:src|href)="(?!\/web\/|data:,")/);
  });

  it('has files whose names change with their content, so that browsers keep them', async () => {
    const files = filesOf((await visit('/app')).body.toString());
    expect(files.some((path) => path.endsWith('.js'))).toBe(true);
    expect(files.some((path) => path.endsWith('.css'))).toBe(true);
    for (const path of files) {
      const file = await visit(path);
      expect(file).toMatchObject({
        status: 200,
        headers: {
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        },
      });
    }
  });

  it('WEB-11: shows files in a document of an opaque origin, which has no network and is framed by the application alone', async () => {
    const { status, headers, body } = await visit('/web/preview.html');
    const origin = 'http://127.0.0.1:8080';
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe(
      `sandbox allow-scripts; default-src 'none'; script-src ${origin}/web/; style-src ${origin}/web/; img-src blob: data:; ` +
        `base-uri 'none'; form-action 'none'; frame-ancestors ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(headers['cache-control']).toBe('public, max-age=0');
    for (const path of filesOf(body.toString())) {
      const opaque = await visit(path, { Origin: 'null' });
      expect(opaque).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
      const other = await visit(path, { Origin: 'https://elsewhere.example' });
      expect(other.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect((await visit('/app', { Origin: 'null' })).status).toBe(403);
  });

  it('is compressed as the browser accepts it', async () => {
    const plain = await visit('/app');
    const brotli = await visit('/app', { 'Accept-Encoding': 'gzip, br' });
    const gzipped = await visit('/app', { 'Accept-Encoding': 'gzip, br;q=0' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(gzipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true);
    expect(new Set([plain, brotli, gzipped].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it.each(['/app', '/app/send', '/web/index.html', '/web/none.js', '/web/'])(
    'OPEN-55: GET %s of a program is an enveloped 404',
    async (target) => {
      expect(await api(url).send({ method: 'GET', target })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      });
    },
  );

  it.each([
    '/APP',
    '/app/..%2f',
    '/app/a.b',
    `${CALLBACK}/x`,
    `${CALLBACK}/`,
    CALLBACK.toUpperCase(),
    '/web/..%2findex.html',
    '/WEB/index.html',
    '/UNSUBSCRIBE',
    '/unsubscribe/',
  ])('OPEN-55: GET %s of a browser is an enveloped 404', async (target) => {
    expect(await visit(target)).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  });

  it('OPEN-10: is not counted', async () => {
    for (const target of ['/app', CALLBACK])
      expect((await visit(target)).headers).not.toHaveProperty('ratelimit-policy');
  });
});
