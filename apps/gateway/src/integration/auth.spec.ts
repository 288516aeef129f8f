import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createApiKey, listApiKeys, listDomains, revokeApiKey } from '@vaultsvc/contracts/auth';
import { operations } from '@vaultsvc/contracts/catalog';
import { CredentialCache, RedisUnavailable } from '@vaultsvc/limits';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { rowsOf, urlOf } from '@vaultsvc/testing/harness';
import { api, send } from '@vaultsvc/testing/http';
import { mintApiKey, mintSession } from '@vaultsvc/tools-testing/accounts';
import { forgeryNames, forgeTokens } from '@vaultsvc/tools-testing/forged-tokens';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { useWidgetInSession, testOperations } from '../testing/test-operations.js';
import { fixtureSettings } from '../testing/gateway-fixture.js';
import { gatewayOver } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const authService = useService(harness, auth);
let url: string;

beforeAll(async () => {
  const ofApi = operations.filter(({ http }) => http.surface === undefined);
  url = urlOf(await harness.start(gatewayOver([...ofApi, ...testOperations]), fixtureSettings));
});
afterEach(() => void jest.restoreAllMocks());

const list = { method: 'GET', target: '/v1/api-keys' };

describe('the gateway with the real auth service', () => {
  it('ENV-38 ENV-39: accepts a new key at once, also to create another, and refuses it at once when revoked', async () => {
    const caller = api(url, { key: (await mintApiKey(authService)).apiKey });
    const made = await caller.call(createApiKey, { body: { name: 'second' } });
    expect(made.status).toBe(201);
    const second = api(url, { key: made.data?.api_key });
    expect(await second.send(list)).toMatchObject({ status: 200 });
    const params = { api_key_id: made.data?.api_key_id as string };
    expect((await caller.call(revokeApiKey, { params })).status).toBe(200);
    expect(await second.send(list)).toMatchObject({ status: 401, error: { code: 'AUTHENTICATION_ERROR' } });
    expect(await caller.send(list)).toMatchObject({ status: 200 });
  });

  it('OPEN-53 ENV-36: answers 429 with Retry-After 1 when Redis fails while auth writes a credential record', async () => {
    const { apiKey } = await mintApiKey(authService);
    const cache = authService.context.get(CredentialCache);
    jest.spyOn(cache, 'put').mockRejectedValue(new RedisUnavailable('Redis is not available'));
    const refused = await send(url, { ...list, headers: { 'X-API-Key': apiKey } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        details: { reason: 'LIMITER_UNAVAILABLE', docs: expect.any(String) },
      },
    });
    expect(refused.body.toString()).not.toMatch(/"(?:limit|used|resets_at)"/);
    jest.restoreAllMocks();
    expect(await api(url, { key: apiKey }).send(list)).toMatchObject({ status: 200 });
  });

  it("ENV-13 ENV-15 ENV-16: pages lists by cursors that are valid for the account's own list only", async () => {
    const { accountId, apiKey } = await mintApiKey(authService);
    await mintApiKey(authService, { accountId });
    const caller = api(url, { key: apiKey });
    const first = await caller.call(listApiKeys, { query: { limit: 1 } });
    expect(first.data).toMatchObject({ count: 1, has_more: true });
    const cursor = first.data?.next_cursor as string;
    expect((await caller.call(listApiKeys, { query: { limit: 1, cursor } })).data).toMatchObject({
      count: 1,
      has_more: false,
    });
    const stranger = api(url, { key: (await mintApiKey(authService)).apiKey });
    expect(await stranger.call(listApiKeys, { query: { limit: 1, cursor } })).toMatchObject({ status: 400 });
  });

  it('DOM-01: lists the domains of the account for an API key, as objects', async () => {
    const { accountId, apiKey } = await mintApiKey(authService);
    const domain = `${accountId.slice(4).toLowerCase()}.example`;
    await rowsOf(
      authService,
      `INSERT INTO domains (domain, account_id, verified_at) VALUES ($1, $2, '2024-02-29 12:00:00Z')`,
      [domain, accountId],
    );
    expect(await api(url, { key: apiKey }).call(listDomains, {})).toMatchObject({
      status: 200,
      data: { domains: [{ domain, verified_at: 1_709_208_000 }] },
    });
    const { apiKey: other } = await mintApiKey(authService);
    expect((await api(url, { key: other }).call(listDomains, {})).data).toEqual({ domains: [] });
  });

  it('AUTH-32 AUTH-33 OPEN-60: accepts its sessions, and refuses identity-only ones on account routes', async () => {
    const full = api(url, { jwt: (await mintSession(authService)).token });
    expect(await full.send(list)).toMatchObject({ status: 200 });
    const member = api(url, { jwt: (await mintSession(authService, { role: 'member' })).token });
    expect(await member.call(createApiKey, { body: { name: 'x' } })).toMatchObject({ status: 403 });
    const identity = api(url, {
      jwt: (await mintSession(authService, { sessionType: 'identity_only' })).token,
    });
    expect(await identity.send(list)).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  });

  it('OPEN-56: serves the key set as a bare public document', async () => {
    const answer = await api(url).send({ method: 'GET', target: '/.well-known/jwks.json', bare: true });
    expect(answer).toMatchObject({
      status: 200,
      data: { keys: expect.arrayContaining([expect.objectContaining({ crv: 'Ed25519' })]) },
    });
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    expect(answer.body.toString()).not.toContain('"d"');
  });

  it.each(forgeryNames)('AUTH-32: refuses a forged token with 401: %s', async (name) => {
    const session = await mintSession(authService);
    const jwt = (await forgeTokens(authService, session))[name];
    expect(await api(url, { jwt }).send(list)).toMatchObject({
      status: 401,
      error: { code: 'AUTHENTICATION_ERROR' },
    });
    expect((await api(url, { jwt }).call(useWidgetInSession, {})).status).toBe(401);
  });
});
