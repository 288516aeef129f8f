import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallContext } from '@vaultsvc/contracts';
import { listApiKeys, resolveCredential, revokeApiKey } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, parseToken } from '@vaultsvc/crypto/tokens';
import { Database, statement } from '@vaultsvc/database';
import { CredentialCache, RedisConnection, type CredentialRecord } from '@vaultsvc/limits';
import type { RunningService } from '@vaultsvc/service';
import { type Harness, internalContext, startHarness } from '@vaultsvc/testing/harness';
import { inspectRedis, startRedis, type RedisInspector, type TestServer } from '@vaultsvc/testing/servers';
import { timed, until } from '@vaultsvc/testing/waiting';
import { mintApiKey, mintSession, type TestApiKey } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { admitAsGateway } from '../testing/redis-peers.js';
import { ResolveCredential } from './resolve-credential.handler.js';

let harness: Harness;
let service: RunningService;
let redis: TestServer;
let inspector: RedisInspector;

beforeAll(async () => {
  [harness, redis] = await Promise.all([startHarness({ LOG_LEVEL: 'silent' }), startRedis()]);
  service = await harness.start(auth, { REDIS_URL: redis.url, REDIS_ANSWER_MS: '1000' });
  inspector = await inspectRedis(redis.url);
});
afterAll(async () => {
  inspector.close();
  await harness.stop();
  await redis.stop();
});

const lookupOf = (apiKey: string) =>
  lookupHash('apikey', parseToken('apikey', apiKey) ?? Buffer.alloc(0)).toString('hex');
const resolve = (kind: 'api_key' | 'session', key: string) =>
  harness.bus.call(resolveCredential, { body: { kind, key } }, internalContext());
const resolveKey = ({ apiKey }: TestApiKey) => resolve('api_key', lookupOf(apiKey));
const revoke = ({ apiKeyId, context }: TestApiKey) =>
  harness.bus.call(
    revokeApiKey,
    { params: { api_key_id: apiKeyId } },
    { ...context, deadlineMs: Date.now() + 60_000 },
  );
const command = (...parts: string[]) => inspector.command(...parts);
const record = async (key: string) => {
  const text = (await command('GET', `cred:${key}`)) as string | null;
  return text === null ? null : (JSON.parse(text) as CredentialRecord);
};
const change = (name: string, sql: string, ...values: unknown[]) =>
  service.context.get(Database).query(statement(`test.${name}`, sql), values);

const admit = (key: string, isResolved = false) =>
  admitAsGateway(harness, key, { isResolved, settings: { REDIS_URL: redis.url } });

/** Admits as the gateway does: one round trip to Redis, and one call to auth on a cache miss. */
async function outcome(key: string): Promise<string> {
  const first = await admit(key);
  if (first.outcome !== 'not_cached') return first.outcome;
  await resolve(key.startsWith('k:') ? 'api_key' : 'session', key.slice(2));
  return (await admit(key, true)).outcome;
}

describe('KEY-13 OPEN-52: resolving an API key', () => {
  it('AMB-17 ENV-39: caches it as an admin of its account without a user', async () => {
    const key = await mintApiKey(service, { expiresInDays: 2 });
    expect(await resolveKey(key)).toEqual({ found: true });
    const cached = await record(`k:${lookupOf(key.apiKey)}`);
    expect(cached).toEqual({
      version: 2,
      status: 'active',
      kind: 'api_key',
      accountId: key.accountId,
      userId: null,
      credentialId: key.apiKeyId,
      role: 'admin',
      seat: 'full',
      expiresAt: expect.any(Number),
      mac: expect.any(String),
    });
    expect(await command('TTL', `cred:k:${lookupOf(key.apiKey)}`)).toBeLessThanOrEqual(60);
  });

  it('KEY-14: records the use, which last_used_at shows', async () => {
    const key = await mintApiKey(service);
    const { result, from, to } = await timed(() => outcome(`k:${lookupOf(key.apiKey)}`));
    expect(result).toBe('account');
    const { api_keys: keys } = await harness.bus.call(listApiKeys, { query: { limit: 1 } }, key.context);
    expect(keys[0]?.last_used_at).toBeGreaterThanOrEqual(from);
    expect(keys[0]?.last_used_at).toBeLessThanOrEqual(to);
  });

  it('refuses a key as soon as it has expired', async () => {
    const key = await mintApiKey(service, { expiresInDays: 1 });
    const cacheKey = `k:${lookupOf(key.apiKey)}`;
    expect(await outcome(cacheKey)).toBe('account');
    await change(
      'expire',
      `UPDATE api_keys SET created_at = created_at - interval '86401 s', expires_at = expires_at - interval '86401 s' WHERE id = $1`,
      key.apiKeyId,
    );
    await command('DEL', `cred:${cacheKey}`);
    expect(await resolveKey(key)).toEqual({ found: false });
    expect(await outcome(cacheKey)).toBe('refused');
  });

  it('refuses a revoked key at the next request, with or without its cached record', async () => {
    const key = await mintApiKey(service);
    const cacheKey = `k:${lookupOf(key.apiKey)}`;
    expect(await outcome(cacheKey)).toBe('account');
    await revoke(key);
    expect(await outcome(cacheKey)).toBe('refused');
    await command('FLUSHALL');
    expect(await outcome(cacheKey)).toBe('refused');
    expect(await resolveKey(key)).toEqual({ found: false });
  });

  it.each(['', 'k', '0'.repeat(63), 'g'.repeat(64), `${'0'.repeat(64)}0`, '0'.repeat(64)])(
    'caches nothing for the unknown key %p',
    async (hex) => {
      expect(await resolve('api_key', hex)).toEqual({ found: false });
      expect(await record(`k:${hex}`)).toBeNull();
    },
  );

  it('refuses a key of a suspended account', async () => {
    const key = await mintApiKey(service);
    await change(
      'suspend',
      `UPDATE accounts SET status = 'suspended', version = version + 1 WHERE id = $1`,
      key.accountId,
    );
    expect(await outcome(`k:${lookupOf(key.apiKey)}`)).toBe('refused');
  });
});

describe('OPEN-52: the credential cache', () => {
  it('keeps the ended record when a record read before the revocation is put', async () => {
    const key = await mintApiKey(service);
    const cacheKey = `k:${lookupOf(key.apiKey)}`;
    await resolveKey(key);
    const stale = await record(cacheKey);
    await revoke(key);
    expect(await service.context.get(CredentialCache).put(cacheKey, stale as CredentialRecord)).toBe(false);
    expect(await record(cacheKey)).toMatchObject({
      status: 'revoked',
      credentialId: key.apiKeyId,
      version: 3,
    });
    expect(await command('TTL', `cred:${cacheKey}`)).toBeGreaterThan(200);
  });

  it('has the ended record of a key whose account has changed since the key was made', async () => {
    const key = await mintApiKey(service);
    const cacheKey = `k:${lookupOf(key.apiKey)}`;
    await change('count-on', `UPDATE accounts SET version = version + 5 WHERE id = $1`, key.accountId);
    expect(await outcome(cacheKey)).toBe('account');
    await revoke(key);
    // The sum of 2 for the key and 6 for its account.
    expect(await record(cacheKey)).toMatchObject({ status: 'revoked', version: 8 });
    expect(await outcome(cacheKey)).toBe('refused');
  });

  it('keeps the ended record when twenty fills run concurrently with the revocation', async () => {
    for (let round = 0; round < 10; round++) {
      const key = await mintApiKey(service);
      const fills = Array.from({ length: 10 }, () => resolveKey(key));
      await Promise.all([...fills, revoke(key), ...Array.from({ length: 10 }, () => resolveKey(key))]);
      expect(await admit(`k:${lookupOf(key.apiKey)}`)).toMatchObject({ outcome: 'refused' });
    }
  });

  it('receives no record from a lookup past its deadline', async () => {
    const key = await mintApiKey(service);
    const late: CallContext = { ...internalContext(), deadlineMs: Date.now() - 1 };
    const body = { kind: 'api_key', key: lookupOf(key.apiKey) } as const;
    const handler = service.context.get(ResolveCredential);
    await expect(handler.handle({ params: undefined, query: undefined, body }, late)).rejects.toMatchObject({
      reason: 'INTERNAL_ERROR',
    });
    expect(await record(`k:${lookupOf(key.apiKey)}`)).toBeNull();
  });

  it('is corrected by repeating a revocation that answered 500 because Redis was down', async () => {
    const key = await mintApiKey(service);
    const cacheKey = `k:${lookupOf(key.apiKey)}`;
    expect(await outcome(cacheKey)).toBe('account');
    redis.pause();
    await expect(revoke(key)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    redis.resume();
    await until(() =>
      service.context
        .get(RedisConnection)
        .ping()
        .then(() => true),
    );
    expect(await revoke(key)).toMatchObject({ status: 'revoked', message: expect.any(String) });
    expect(await outcome(cacheKey)).toBe('refused');
  });
});

describe('OPEN-07 AUTH-33: resolving a session', () => {
  it('caches the role and seat of its user', async () => {
    const session = await mintSession(service, { role: 'member', seat: 'viewer' });
    expect(await resolve('session', session.sessionId)).toEqual({ found: true });
    expect(await record(`s:${session.sessionId}`)).toMatchObject({
      status: 'active',
      kind: 'session',
      accountId: session.accountId,
      userId: session.subject,
      credentialId: session.sessionId,
      role: 'member',
      seat: 'viewer',
    });
  });

  it('caches a changed role with a newer version, which replaces the cached record', async () => {
    const session = await mintSession(service, { role: 'admin' });
    await resolve('session', session.sessionId);
    const before = await record(`s:${session.sessionId}`);
    await change(
      'demote',
      `UPDATE users SET role = 'member', version = version + 1 WHERE id = $1`,
      session.subject,
    );
    await resolve('session', session.sessionId);
    expect(await record(`s:${session.sessionId}`)).toMatchObject({
      role: 'member',
      version: (before?.version ?? 0) + 1,
    });
  });

  it.each([
    ['revoked', `UPDATE families SET revoked_at = now(), version = version + 1 WHERE id = $1`],
    [
      'expired',
      `UPDATE families SET created_at = created_at - interval '31 d', expires_at = expires_at - interval '31 d' WHERE id = $1`,
    ],
  ])('refuses a session that is %s', async (state, sql) => {
    const session = await mintSession(service);
    expect(await outcome(`s:${session.sessionId}`)).toBe('account');
    await change(state, sql, session.sessionId);
    await command('DEL', `cred:s:${session.sessionId}`);
    expect(await resolve('session', session.sessionId)).toEqual({ found: false });
    expect(await outcome(`s:${session.sessionId}`)).toBe('refused');
  });

  it('refuses a session of an invited user or a suspended account', async () => {
    const [invited, suspended] = [await mintSession(service), await mintSession(service)];
    await change(
      'invite',
      `UPDATE users SET status = 'invited', version = version + 1 WHERE id = $1`,
      invited.subject,
    );
    await change(
      'suspend',
      `UPDATE accounts SET status = 'suspended', version = version + 1 WHERE id = $1`,
      suspended.accountId,
    );
    expect(await outcome(`s:${invited.sessionId}`)).toBe('refused');
    expect(await outcome(`s:${suspended.sessionId}`)).toBe('refused');
  });

  it('caches an identity-only session with its identity and without an account', async () => {
    const session = await mintSession(service, { sessionType: 'identity_only' });
    expect(await outcome(`s:${session.sessionId}`)).toBe('identity');
    expect(await record(`s:${session.sessionId}`)).toMatchObject({
      kind: 'identity',
      accountId: null,
      userId: session.subject,
    });
  });

  it.each(['nonsense', newId('key_'), "' OR 1=1 --", '00000000-0000-0000-0000-000000000000'])(
    'finds no session for the unknown id %p',
    async (id) => {
      expect(await resolve('session', id)).toEqual({ found: false });
      expect(await record(`s:${id}`)).toBeNull();
    },
  );
});
