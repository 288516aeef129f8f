import { beforeAll, describe, expect, it } from '@jest/globals';
import { healthOperation } from '@vaultsvc/contracts';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { internalContext, urlOf } from '@vaultsvc/testing/harness';
import { send as sendRaw } from '@vaultsvc/testing/http';
import { forge } from './service-definition.js';

const page = 'https://app.example';
const harness = useHarness({ LOG_LEVEL: 'silent', CORS_ORIGINS: page });
let url: string;
beforeAll(async () => {
  url = urlOf(await harness.start(forge));
});

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { method, headers });

describe('MISC-01: forge', () => {
  it('starts on its own migrated schema and answers over NATS', async () => {
    const response = await harness.bus.call(healthOperation('forge'), {}, internalContext());
    expect(response).toEqual({ status: 'ok', version: '0.1.0' });
  });
});

describe('the transfer origin', () => {
  it('FRG-01: answers GET /health to anyone, without an envelope and with an ISO time', async () => {
    const startedMs = Date.now();
    const response = await send('GET', '/health');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = (await response.json()) as { timestamp: string };
    expect(body).toEqual({ status: 'ok', version: '0.1.0', timestamp: body.timestamp });
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
    expect(Date.parse(body.timestamp)).toBeGreaterThanOrEqual(startedMs);
    expect(Date.parse(body.timestamp)).toBeLessThanOrEqual(Date.now());
  });

  it('FRG-02: answers OPTIONS /encrypt with the capabilities of tus, for any client and for pages', async () => {
    const capabilities = {
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,termination',
      'tus-max-size': '5497558138880',
    };
    const plain = await send('OPTIONS', '/encrypt');
    expect(plain.status).toBe(204);
    expect(Object.fromEntries(plain.headers)).toMatchObject(capabilities);
    expect(plain.headers.get('access-control-allow-origin')).toBeNull();
    const preflightHeaders = { Origin: page, 'Access-Control-Request-Method': 'POST' };
    const preflight = await send('OPTIONS', '/encrypt', preflightHeaders);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      ...capabilities,
      'access-control-allow-origin': page,
      'access-control-allow-headers': expect.stringContaining('Upload-Defer-Length'),
    });
  });

  it('OPEN-49 OPEN-54: names the headers that pages may send and read', async () => {
    const asked = { Origin: page, 'Access-Control-Request-Method': 'PATCH' };
    const preflight = await send('OPTIONS', '/encrypt', asked);
    const allowed = preflight.headers.get('access-control-allow-headers') ?? '';
    expect(allowed.split(/, ?/).sort()).toEqual(
      [
        'Content-Type If-Match If-None-Match If-Range Range Tus-Resumable Upload-Checksum Upload-Concat',
        'Upload-Defer-Length Upload-Length Upload-Metadata Upload-Offset X-HTTP-Method-Override X-ISTK X-Request-Id',
      ].flatMap((names) => names.split(' ')),
    );
    const answer = await send('GET', '/health', { Origin: page });
    const exposed = answer.headers.get('access-control-expose-headers') ?? '';
    expect(exposed.split(/, ?/).sort()).toEqual(
      [
        'Accept-Ranges Allow Content-Disposition Content-Length Content-Range ETag Last-Modified Location Retry-After',
        'Tus-Extension Tus-Max-Size Tus-Resumable Tus-Version Upload-Length Upload-Offset WWW-Authenticate',
        'X-Chunk-Size X-Ingot-ID X-Request-Id',
      ].flatMap((names) => names.split(' ')),
    );
  });

  it.each([
    ['/encrypt', 'PUT', 'HEAD, POST'],
    ['/encrypt/x', 'GET', 'DELETE, HEAD, PATCH'],
    ['/encrypt/', 'POST', null],
    ['/Encrypt', 'POST', null],
    ['/decrypt', 'POST', 'GET, HEAD'],
    ['/progress', 'PUT', 'GET, HEAD'],
    ['/', 'GET', null],
  ])(
    'OPEN-14 OPEN-54 OPEN-55: answers %s with %s by 404 with Allow %p, in the envelope and with CORS headers',
    async (path, method, allow) => {
      const response = await send(method, path, { Origin: page });
      expect(response.status).toBe(404);
      expect(response.headers.get('allow')).toBe(allow);
      expect(await response.json()).toMatchObject({
        error: { code: 'NOT_FOUND' },
        meta: { request_id: response.headers.get('x-request-id') },
      });
      expect(response.headers.get('access-control-allow-origin')).toBe(page);
      expect(response.headers.get('access-control-expose-headers')).toContain('X-Chunk-Size');
    },
  );

  it('OPEN-55 TRAP 14: answers HEAD on GET routes with 404 without a body', async () => {
    const response = await send('HEAD', '/health');
    expect([response.status, await response.text()]).toEqual([404, '']);
    expect(response.headers.get('allow')).toBe('GET');
  });

  it('tus 1.0.0: sends Tus-Resumable in every response below /encrypt, also for unknown methods and paths', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS'])
      for (const path of ['/encrypt', '/encrypt/x', '/encrypt/x/y', '/encrypt/%zz'])
        expect((await send(method, path)).headers.get('tus-resumable')).toBe('1.0.0');
    expect((await send('GET', '/health')).headers.get('tus-resumable')).toBeNull();
  });

  it('OPEN-14 TRAP 71: refuses a path that cannot be decoded, in the envelope', async () => {
    for (const path of ['/%zz', '/encrypt/%zz', '/decrypt%']) {
      const response = await send('GET', path);
      expect([400, 404]).toContain(response.status);
      const body = (await response.json()) as object;
      expect(body).toMatchObject({ error: { code: expect.any(String) }, meta: { api_version: '0.1.0' } });
      expect(JSON.stringify(body)).not.toContain('at ');
    }
  });

  it('ENV-43 OPEN-54: allows link and file pages by CORS, and no other origins', async () => {
    const allowed = async (origin: string) =>
      (await send('GET', '/health', { Origin: origin })).headers.get('access-control-allow-origin');
    expect(await allowed('http://127.0.0.1:8082')).toBe('http://127.0.0.1:8082');
    expect(await allowed('http://127.0.0.1:8083')).toBe('http://127.0.0.1:8083');
    expect(await allowed('https://evil.example')).toBeNull();
  });

  it('ENV-43: refuses a page of an unlisted origin with 403 in the local profile, where its browser sends no preflight', async () => {
    const response = await send('POST', '/encrypt', { Origin: 'https://evil.example' });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 'FORBIDDEN' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect((await send('POST', '/encrypt', { Origin: page })).status).toBe(412);
  });

  it('OPEN-55: answers a page whose name resolves to the local stack with an enveloped 403', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const target = { method, target: '/health', headers: { Host: 'evil.example:8081' } };
      const { status, body } = await sendRaw(url, target);
      expect(status).toBe(403);
      expect(JSON.parse(body.toString())).toMatchObject({ error: { code: 'FORBIDDEN' } });
    }
  });

  it('OPEN-01: does not start with plain HTTP on a public address', async () => {
    const open = harness.start(forge, { HTTP_HOST: '0.0.0.0' });
    await expect(open).rejects.toThrow('REQUIRE_HTTPS may be false only');
  });

  it('OPEN-01: refuses requests without HTTPS where it is required', async () => {
    const response = await fetch(`${urlOf(await harness.start(forge, { REQUIRE_HTTPS: 'true' }))}/health`);
    expect([response.status, await response.json()]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
  });
});
