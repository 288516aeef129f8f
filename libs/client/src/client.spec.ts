import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError, ConnectionError } from './api-error.js';
import { createClient } from './client.js';
import type { IgnoredNames } from './ignored-names.js';
import type { RetryWait } from './retry.js';
import { refusal, ScriptedServer, success, type ReceivedRequest } from './testing/scripted-server.js';

let server: ScriptedServer;
let other: ScriptedServer;
beforeAll(
  async () => void ([server, other] = await Promise.all([ScriptedServer.start(), ScriptedServer.start()])),
);
afterAll(() => Promise.all([server.stop(), other.stop()]));

const options = () => ({ url: server.url, apiKey: 'vk_test' });
const client = () => createClient(options());
const newSpark = { body: { payload: 'hello' } };
const keysOf = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ headers }) => headers['idempotency-key']);

describe('A call of the client', () => {
  it('SDK-01: sends path, query, body and key, and resolves with the content of the envelope', async () => {
    server.script(success({ sparks: [], count: 0, has_more: false }));
    const { data, meta, response } = await client().GET('/v1/sparks', { params: { query: { limit: 5 } } });
    expect(data.has_more).toBe(false);
    expect([meta?.request_id, response.status]).toEqual(['req_1', 200]);
    await client().POST('/v1/sparks', newSpark);
    expect(server.requests).toMatchObject([
      { method: 'GET', url: '/v1/sparks?limit=5', headers: { 'x-api-key': 'vk_test' } },
      { method: 'POST', url: '/v1/sparks', body: '{"payload":"hello"}' },
    ]);
  });

  it('SDK-01: resolves without content for 204, and with the whole body where there is no envelope', async () => {
    server.script({ status: 204 }, { status: 200, body: { keys: [] } });
    const params = { path: { spark_id: 'spk_1' } };
    expect((await client().DELETE('/v1/sparks/{spark_id}', { params })).data).toBeUndefined();
    expect((await client().GET('/.well-known/jwks.json')).data).toEqual({ keys: [] });
    expect(server.requests[0]?.url).toBe('/v1/sparks/spk_1');
  });

  it('SDK-02: rejects with the status, code, reason, details and request of a refusal', async () => {
    server.script(refusal(409, 'CONFLICT', { details: { reason: 'VAULT_NAME_TAKEN' } }));
    const error = await client()
      .POST('/v1/vaults', { body: { name: 'a' } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      reason: 'VAULT_NAME_TAKEN',
      message: 'This is CONFLICT.',
      requestId: 'req_1',
    });
  });

  it('SDK-02: rejects with an unknown code for a response that is not one of the API', async () => {
    server.script({ status: 418, headers: { 'X-Request-Id': 'req_2' } });
    await expect(client().GET('/v1/me')).rejects.toMatchObject({
      status: 418,
      code: 'UNKNOWN',
      requestId: 'req_2',
    });
  });

  it('SDK-02: rejects with the reason of the caller’s signal', async () => {
    server.answer(() => new Promise(() => {}));
    const reason = new Error('the caller left');
    await expect(client().GET('/v1/me', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('SDK-05: sends credentials to the API alone, not to another origin', async () => {
    other.script(success({}));
    const caller = createClient({ ...options(), vat: 'vat_1' });
    await caller.POST('/{link_code}/burn', { params: { path: { link_code: 'abc' } }, baseUrl: other.url });
    const [received] = other.requests;
    expect(received?.url).toBe('/abc/burn');
    expect(received?.headers['x-api-key']).toBeUndefined();
    expect(received?.headers['x-vault-access-token']).toBeUndefined();
    server.script(success({}));
    await caller.GET('/v1/me');
    expect(server.requests[0]?.headers).toMatchObject({
      'x-api-key': 'vk_test',
      'x-vault-access-token': 'vat_1',
    });
  });

  it('SDK-05: prefers the Vault Access Token of the call to that of the client', async () => {
    server.script(success({}));
    await client().withVat('vat_1').GET('/v1/me', { vat: 'vat_2' });
    expect(server.requests[0]?.headers['x-vault-access-token']).toBe('vat_2');
  });
});

describe('AMB-51: Names that the API ignores', () => {
  const ignoring = (names: string, answer = success({})) =>
    answer === 'cut' ? answer : { ...answer, headers: { 'X-Ignored': names } };
  const reported: IgnoredNames[] = [];
  const listening = () => createClient({ ...options(), onIgnored: (ignored) => reported.push(ignored) });
  beforeEach(() => void (reported.length = 0));

  it('are given to the caller with the call, those of a refusal too', async () => {
    server.script(ignoring('ttl, recipients.0.team'), ignoring('more', refusal(400, 'VALIDATION_ERROR')));
    await listening().withVat('vat_1').POST('/v1/sparks', newSpark);
    await expect(listening().GET('/v1/me')).rejects.toThrow(ApiError);
    expect(reported).toEqual([
      { call: 'POST /v1/sparks', names: ['ttl', 'recipients.0.team'] },
      { call: 'GET /v1/me', names: ['more'] },
    ]);
  });

  it('are decoded, and as they are where a proxy has changed them', async () => {
    server.script(ignoring('a%2Cb, c%20d, %C3%A9, 100%25, "", 50%'));
    await listening().GET('/v1/me');
    expect(reported).toEqual([{ call: 'GET /v1/me', names: ['a,b', 'c d', 'é', '100%', '', '50%'] }]);
  });

  it('are not reported where there are none, nor without a listener', async () => {
    server.script(success({}), ignoring('ttl'));
    await listening().GET('/v1/me');
    await client().GET('/v1/me');
    expect(reported).toEqual([]);
  });
});

describe('A failed call', () => {
  it('SDK-03: is repeated after Retry-After where the API was busy, whatever the method', async () => {
    server.script(
      refusal(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 1 }),
      success({ spark_id: 'spk_1' }, 201),
    );
    const begin = performance.now();
    expect((await client().POST('/v1/sparks', newSpark)).data.spark_id).toBe('spk_1');
    expect(performance.now() - begin).toBeGreaterThanOrEqual(1_000);
    expect(server.requests.map(({ body }) => body)).toEqual(Array(2).fill('{"payload":"hello"}'));
  });

  it('SDK-03: says before each wait how long it is, and what failed', async () => {
    server.script('cut', { status: 503 }, success({ vaults: [] }));
    const waits: RetryWait[] = [];
    const telling = createClient({ ...options(), retry: { onWait: (wait) => waits.push(wait) } });
    await telling.GET('/v1/vaults');
    expect(waits).toMatchObject([
      { attempt: 1, error: expect.any(ConnectionError) },
      { attempt: 2, status: 503 },
    ]);
    expect(waits.map(({ seconds }) => seconds > 0 && seconds <= 1)).toEqual([true, true]);
  });

  it('SDK-03: is not repeated where the wait is longer than the caller allows', async () => {
    server.script(refusal(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 61 }));
    await expect(client().GET('/v1/me')).rejects.toMatchObject({ status: 429, retryAfter: 61 });
    expect(server.requests).toHaveLength(1);
  });

  it.each(['cut', { status: 503 }] as const)(
    'SDK-03: is repeated after %o if it only reads',
    async (failure) => {
      server.script(failure, failure, success({ vaults: [] }));
      expect((await client().GET('/v1/vaults')).data).toEqual({ vaults: [] });
      expect(server.requests).toHaveLength(3);
    },
  );

  it('SDK-03: is not repeated after a lost response if it has an effect: neither a creation, nor a read that burns', async () => {
    server.script('cut');
    const creation = client().POST('/v1/sparks', { ...newSpark, idempotencyKey: false });
    await expect(creation).rejects.toBeInstanceOf(ConnectionError);
    const params = { path: { spark_id: 'spk_1' } };
    await expect(client().GET('/v1/sparks/{spark_id}', { params })).rejects.toBeInstanceOf(ConnectionError);
    expect(server.requests).toHaveLength(2);
  });

  it('SDK-03: is not repeated after 500, nor when repetitions are turned off', async () => {
    server.script(refusal(500, 'INTERNAL_ERROR'));
    await expect(client().GET('/v1/me')).rejects.toMatchObject({ status: 500 });
    server.script({ status: 503 });
    await expect(createClient({ ...options(), retry: { attempts: 0 } }).GET('/v1/me')).rejects.toMatchObject({
      status: 503,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('SDK-03: counts as unanswered after the time limit, which does not end a body that takes longer', async () => {
    server.answer(() => new Promise(() => {}));
    const hasty = createClient({ ...options(), timeoutSeconds: 2, retry: { attempts: 1 } });
    await expect(hasty.GET('/v1/me')).rejects.toBeInstanceOf(ConnectionError);
    expect(server.requests).toHaveLength(2);
  });

  it('SDK-04: keeps its Idempotency-Key when it is repeated, also while the first call is running', async () => {
    const running = refusal(409, 'CONFLICT', { retryAfter: 0 });
    server.script('cut', running, { status: 503 }, success({ spark_id: 'spk_1' }, 201));
    await client().POST('/v1/sparks', { ...newSpark, idempotencyKey: 'mine' });
    expect(keysOf(server.requests)).toEqual(Array(4).fill('mine'));
  });

  it('SDK-04: has a new key for each creation, and none for other calls', async () => {
    server.script(success({ spark_id: 'spk_1' }, 201));
    await client().POST('/v1/sparks', newSpark);
    await client().POST('/v1/sparks', newSpark);
    await client().POST('/v1/vaults/{vault_id}/seal', { params: { path: { vault_id: 'vlt_1' } } });
    const [first, second, third] = keysOf(server.requests);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(third).toBeUndefined();
  });

  it('SDK-04: is not repeated for a key that another call has used', async () => {
    server.script(refusal(409, 'CONFLICT'));
    const call = client().POST('/v1/sparks', { ...newSpark, idempotencyKey: 'mine' });
    await expect(call).rejects.toMatchObject({ status: 409 });
    expect(server.requests).toHaveLength(1);
  });
});
