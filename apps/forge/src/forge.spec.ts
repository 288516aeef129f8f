import { beforeAll, describe, expect, it } from '@jest/globals';
import { healthOperation, serviceContext } from '@vaultsvc/contracts';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { forge } from './service-definition.js';

const page = 'https://app.example';
const harness = useHarness({ LOG_LEVEL: 'silent', CORS_ORIGINS: page });
let url: string;
beforeAll(async () => {
  url = urlOf(await harness.start(forge));
});

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { method, headers });

describe('MISC-01: forge is a service of its own', () => {
  it('starts on its own migrated schema and answers over NATS', async () => {
    const answer = await harness.bus.call(healthOperation('forge'), {}, serviceContext('test'));
    expect(answer).toEqual({ status: 'ok', version: '0.1.0' });
  });
});

describe("Forge's own origin", () => {
  it('FRG-01: tells anyone that it answers, in a bare body with an ISO time', async () => {
    const beganMs = Date.now();
    const answer = await send('GET', '/health');
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as { timestamp: string };
    expect(body).toEqual({ status: 'ok', version: '0.1.0', timestamp: body.timestamp });
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
    expect(Date.parse(body.timestamp)).toBeGreaterThanOrEqual(beganMs);
    expect(Date.parse(body.timestamp)).toBeLessThanOrEqual(Date.now());
  });

  it('FRG-02: tells what the upload endpoint can do, to any client and to pages', async () => {
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
    const asked = { Origin: page, 'Access-Control-Request-Method': 'POST' };
    const preflight = await send('OPTIONS', '/encrypt', asked);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      ...capabilities,
      'access-control-allow-origin': page,
      'access-control-allow-headers': expect.stringContaining('Upload-Defer-Length'),
    });
  });

  it.each([
    ['/encrypt', 'PUT'],
    ['/encrypt/', 'POST'],
    ['/Encrypt', 'POST'],
    ['/decrypt', 'POST'],
    ['/', 'GET'],
  ])(
    'OPEN-14 OPEN-54 OPEN-55: %s with %s is unknown: 404 in the envelope, CORS headers too',
    async (path, method) => {
      const answer = await send(method, path, { Origin: page });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({
        error: { code: 'NOT_FOUND' },
        meta: { request_id: answer.headers.get('x-request-id') },
      });
      expect(answer.headers.get('access-control-allow-origin')).toBe(page);
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Chunk-Size');
    },
  );

  it('OPEN-55 TRAP 14: HEAD of what only GET is declared for is 404 without a body', async () => {
    const answer = await send('HEAD', '/health');
    expect([answer.status, await answer.text()]).toEqual([404, '']);
  });

  it('tus 1.0.0: names the protocol in every answer below /encrypt, of unknown methods and paths too', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS'])
      for (const path of ['/encrypt', '/encrypt/x', '/encrypt/x/y', '/encrypt/%zz'])
        expect((await send(method, path)).headers.get('tus-resumable')).toBe('1.0.0');
    expect((await send('GET', '/health')).headers.get('tus-resumable')).toBeNull();
  });

  it('OPEN-14 TRAP 71: a path that cannot be decoded is refused in the envelope too', async () => {
    for (const path of ['/%zz', '/encrypt/%zz', '/decrypt%']) {
      const answer = await send('GET', path);
      expect([400, 404]).toContain(answer.status);
      const body = (await answer.json()) as object;
      expect(body).toMatchObject({ error: { code: expect.any(String) }, meta: { api_version: '0.1.0' } });
      expect(JSON.stringify(body)).not.toContain('at ');
    }
  });

  it('OPEN-54: link and file pages may move files, other origins are told nothing', async () => {
    const allowed = async (origin: string) =>
      (await send('GET', '/health', { Origin: origin })).headers.get('access-control-allow-origin');
    expect(await allowed('http://127.0.0.1:8082')).toBe('http://127.0.0.1:8082');
    expect(await allowed('http://127.0.0.1:8083')).toBe('http://127.0.0.1:8083');
    expect(await allowed('https://evil.example')).toBeNull();
  });

  it('OPEN-01: does not start on plain HTTP that others could reach', async () => {
    const open = harness.start(forge, { HTTP_HOST: '0.0.0.0' });
    await expect(open).rejects.toThrow('REQUIRE_HTTPS may be false only');
  });

  it('OPEN-01: refuses what did not come through HTTPS where it is required', async () => {
    const answer = await fetch(`${urlOf(await harness.start(forge, { REQUIRE_HTTPS: 'true' }))}/health`);
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
  });
});
