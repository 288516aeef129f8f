import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode, decodeQuery, type AccountContext } from '@vaultsvc/contracts';
import {
  ApiKeyQuery,
  createApiKey,
  listApiKeys,
  NewApiKey,
  revokeApiKey,
  type CreatedApiKey,
} from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { parseToken } from '@vaultsvc/crypto/tokens';
import { Database, statement } from '@vaultsvc/database';
import { useHarness, useRedisInspector, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, lockWaiters, outboxEvents, stopSchedule } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { mintApiKey, newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { FlushKeyUses } from './flush-key-uses.job.js';

const harness = useHarness({ LOG_LEVEL: 'error' });
const service = useService(harness, auth);
const redis = useRedisInspector();
let caller: AccountContext;

beforeAll(async () => {
  await stopSchedule(service);
  ({ context: caller } = await mintApiKey(service));
});

const create = (body: NewApiKey, context = caller) => harness.bus.call(createApiKey, { body }, context);
const list = (query: Partial<ApiKeyQuery> = {}, context = caller) =>
  harness.bus.call(listApiKeys, { query: { limit: 50, ...query } }, context);
const revoke = (api_key_id: string, context = caller) =>
  harness.bus.call(revokeApiKey, { params: { api_key_id } }, context);

const asUser = (accountId: string, role: 'owner' | 'admin' | 'member') =>
  accountContext({ kind: 'session', accountId, userId: newId('usr_'), role });
const shift = (id: string, column: 'created_at' | 'expires_at' | 'revoked_at', seconds: number) =>
  service.context
    .get(Database)
    .query(
      statement(
        `test.shift-${column}`,
        `UPDATE api_keys SET ${column} = ${column} + make_interval(secs => $2) WHERE id = $1`,
      ),
      [id, seconds],
    );
const find = async (id: string) => (await list()).api_keys.find((key) => key.api_key_id === id);

describe('KEY-01 KEY-12 AMB-17: authorization of API key operations', () => {
  it('refuses members with 403 before any lookup', async () => {
    const member = asUser(caller.credential.accountId, 'member');
    const refusal = { code: 'FORBIDDEN', reason: 'ROLE_REQUIRED' };
    await expect(create({ name: 'mine' }, member)).rejects.toMatchObject(refusal);
    await expect(revoke(caller.credential.credentialId, member)).rejects.toMatchObject(refusal);
    await expect(revoke(newId('key_'), member)).rejects.toMatchObject(refusal);
  });

  it.each(['owner', 'admin'] as const)('allows an %s to create and revoke', async (role) => {
    const { accountId } = await newAccount(service);
    const { api_key_id } = await create({ name: 'ours' }, asUser(accountId, role));
    expect(await revoke(api_key_id, asUser(accountId, role))).toMatchObject({ status: 'revoked' });
  });

  it('KEY-06: allows every role to list', async () => {
    const { accountId } = await newAccount(service);
    await create({ name: 'ours' }, asUser(accountId, 'owner'));
    expect(await list({}, asUser(accountId, 'member'))).toMatchObject({ count: 1 });
  });
});

describe('KEY-02 KEY-03 KEY-06: validation of API key requests', () => {
  const accepts = (raw: object) => expect(() => decode(NewApiKey, raw)).not.toThrow();
  const refuses = (raw: object) =>
    expect(() => decode(NewApiKey, raw)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));

  it('accepts a name of 1 to 100 characters', () => {
    for (const name of ['a', 'x'.repeat(100), '😀'.repeat(100)]) accepts({ name });
    for (const name of [undefined, null, '', '  ', 5, 'x'.repeat(101)]) refuses({ name });
  });

  it('accepts an expiry of 1 to 3650 whole days, or none', () => {
    for (const days of [1, 3_650, undefined]) accepts({ name: 'a', expires_in_days: days });
    for (const days of [0, 3_651, 1.5, '10', null, -1]) refuses({ name: 'a', expires_in_days: days });
  });

  it('accepts a limit of 1 to 100 and defaults to 50', () => {
    expect(decodeQuery(ApiKeyQuery, new URLSearchParams())).toEqual({ limit: 50 });
    for (const limit of ['0', '101', '1.5', 'x']) {
      expect(() => decodeQuery(ApiKeyQuery, new URLSearchParams({ limit }))).toThrow();
    }
  });
});

describe('POST /v1/api-keys', () => {
  it('KEY-04: answers the key with a warning, and expires_at null for a key without expiry', async () => {
    const made = await create({ name: 'Build server' });
    expect(made).toEqual({
      api_key_id: expect.stringMatching(/^key_[0-9A-Za-z]{22}$/),
      api_key: expect.stringMatching(/^vk_live_[0-9A-Za-z]{49}$/),
      key_preview: `vk_live_...${made.api_key.slice(-4)}`,
      name: 'Build server',
      created_at: expect.any(Number),
      expires_at: null,
      warning: expect.stringContaining('not be shown again'),
    });
    expect(parseToken('apikey', made.api_key)).toHaveLength(32);
  });

  it.each([1, 400, 3_650])(
    'KEY-04: sets expires_at to created_at plus %p days of 86,400 seconds',
    async (days) => {
      const made = await create({ name: 'short-lived', expires_in_days: days });
      expect(made.expires_at).toBe(made.created_at + days * 86_400);
    },
  );

  it('KEY-05: answers the key once: no later response contains it', async () => {
    const made = await create({ name: 'once' });
    const later = JSON.stringify([
      await list(),
      await revoke(made.api_key_id),
      await revoke(made.api_key_id),
      await list(),
    ]);
    expect(later).not.toContain(made.api_key);
    expect(later).toContain(made.key_preview);
  });

  it('OPEN-28: records creation and revocation as one event each, with ids only', async () => {
    const { api_key_id } = await create({ name: 'audited secretly' });
    await revoke(api_key_id);
    await revoke(api_key_id);
    const events = await outboxEvents(service, { api_key_id });
    const { accountId, credentialId } = caller.credential;
    const commonFields = {
      account_id: accountId,
      request_id: caller.requestId,
      payload: { account_id: accountId, api_key_id, actor_id: credentialId },
    };
    expect(events).toEqual([
      { name: 'auth.api-key-created', ...commonFields },
      { name: 'auth.api-key-revoked', ...commonFields },
    ]);
  });
});

describe('GET /v1/api-keys', () => {
  it('KEY-07 KEY-09 KEY-15: lists active, expired and revoked keys, newest first', async () => {
    const { context, apiKeyId } = await mintApiKey(service);
    const [expired, revoked] = [
      await create({ name: 'expired', expires_in_days: 1 }, context),
      await create({ name: 'revoked' }, context),
    ];
    await shift(apiKeyId, 'created_at', -60); // The order must not depend on a clock that may be set back.
    await shift(expired.api_key_id, 'created_at', -86_400);
    await shift(expired.api_key_id, 'expires_at', -86_400);
    const { revoked_at } = await revoke(revoked.api_key_id, context);
    const { api_keys: keys, ...page } = await list({}, context);
    expect(page).toEqual({ count: 3, active: 1, has_more: false });
    expect(keys.map(({ name, status }) => [name, status])).toEqual([
      ['revoked', 'revoked'],
      ['Test key', 'active'],
      ['expired', 'expired'],
    ]);
    expect(keys[0]).toEqual({
      api_key_id: revoked.api_key_id,
      name: 'revoked',
      key_preview: revoked.key_preview,
      status: 'revoked',
      created_at: revoked.created_at,
      last_used_at: null,
      expires_at: null,
      revoked_at,
    });
    expect(keys[2]).toMatchObject({ expires_at: (expired.expires_at ?? 0) - 86_400, revoked_at: null });
  });

  it('KEY-08: counts `active` per page, and neither skips nor repeats keys created at one instant', async () => {
    const { accountId } = await newAccount(service);
    const context = accountContext({ accountId });
    const made: CreatedApiKey[] = [];
    for (let i = 0; i < 7; i++) made.push(await create({ name: `key ${i}` }, context));
    await service.context
      .get(Database)
      .query(
        statement(
          'test.same-instant',
          `UPDATE api_keys SET created_at = '2026-01-02T03:04:05.678901Z' WHERE account_id = $1`,
        ),
        [accountId],
      );
    await revoke(made[3]?.api_key_id ?? '', context);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 1, cursor }, context);
      const [key] = page.api_keys;
      seen.push(key?.api_key_id ?? '');
      expect(page).toMatchObject({
        count: 1,
        active: key?.status === 'active' ? 1 : 0,
        has_more: seen.length < 7,
      });
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen.toSorted()).toEqual(made.map(({ api_key_id }) => api_key_id).toSorted());
  });

  it('rejects an invalid cursor', async () => {
    await expect(list({ cursor: 'x' })).rejects.toMatchObject({ reason: 'CURSOR_INVALID' });
    await expect(list({ cursor: '["a"]' })).rejects.toMatchObject({ reason: 'CURSOR_INVALID' });
  });

  it("ENV-16: never lists another account's keys", async () => {
    const otherAccount = accountContext();
    expect(await list({}, otherAccount)).toEqual({ api_keys: [], count: 0, active: 0, has_more: false });
  });
});

describe('KEY-14: last_used_at of a key', () => {
  const use = (id: string, at: number) => redis.command('HSET', 'used', id, String(at));
  const lastUsed = async (id: string) => (await find(id))?.last_used_at;
  const flush = () => service.context.get(FlushKeyUses).run();

  it('is null until the first use, shows the latest use before and after its flush, and never decreases', async () => {
    const { api_key_id: id } = await create({ name: 'used' });
    expect(await lastUsed(id)).toBeNull();
    await use(id, 1_790_000_000);
    expect(await lastUsed(id)).toBe(1_790_000_000);
    await flush();
    expect(await lastUsed(id)).toBe(1_790_000_000);
    await flush();
    expect(await redis.command('HGET', 'used', id)).toBeNull();
    expect(await lastUsed(id)).toBe(1_790_000_000);
    await use(id, 1_790_000_060);
    expect(await lastUsed(id)).toBe(1_790_000_060);
    await use(id, 1_780_000_000);
    await flush();
    expect(await lastUsed(id)).toBe(1_790_000_000);
  });

  it('is read from Redis while the flush waits for a row lock', async () => {
    const { api_key_id: id } = await create({ name: 'moving' });
    await use(id, 1_790_000_000);
    const lockKey = statement('test.lock-key', `SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE`);
    const { flushed } = await service.context.get(Database).transaction(async (tx) => {
      await tx.query(lockKey, [id]);
      const flushing = flush();
      await until(async () => (await lockWaiters(service)) > 0);
      expect(await lastUsed(id)).toBe(1_790_000_000);
      return { flushed: flushing };
    });
    await flushed;
    expect(await lastUsed(id)).toBe(1_790_000_000);
  });
});

describe('DELETE /v1/api-keys/{api_key_id}', () => {
  it('KEY-10: answers id, status, time and name', async () => {
    const { api_key_id } = await create({ name: 'to go' });
    const answer = await revoke(api_key_id);
    expect(answer).toEqual({ api_key_id, status: 'revoked', revoked_at: expect.any(Number), name: 'to go' });
    expect(await find(api_key_id)).toMatchObject({ status: 'revoked', revoked_at: answer.revoked_at });
  });

  it('KEY-11: answers a repeated revocation with the time of the first one, a message and no name', async () => {
    const { api_key_id } = await create({ name: 'to go twice' });
    const first = await revoke(api_key_id);
    await shift(api_key_id, 'revoked_at', -2);
    expect(await revoke(api_key_id)).toEqual({
      api_key_id,
      status: 'revoked',
      revoked_at: first.revoked_at - 2,
      message: expect.stringContaining('already revoked'),
    });
  });

  it('KEY-11: revokes once when twenty calls run concurrently, and answers all with the same time', async () => {
    const { api_key_id } = await create({ name: 'contended' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => revoke(api_key_id)));
    expect(answers.filter(({ name }) => name === 'contended')).toHaveLength(1);
    expect(answers.filter(({ message }) => message !== undefined)).toHaveLength(19);
    expect(new Set(answers.map(({ revoked_at }) => revoked_at)).size).toBe(1);
  });

  it('KEY-15: revokes an expired key, which is listed as revoked from then on', async () => {
    const { api_key_id } = await create({ name: 'expired', expires_in_days: 1 });
    await shift(api_key_id, 'created_at', -90_000);
    await shift(api_key_id, 'expires_at', -90_000);
    await revoke(api_key_id);
    expect(await find(api_key_id)).toMatchObject({ status: 'revoked' });
  });

  it('ENV-41: answers 404 for a foreign key as for an unknown one, and leaves it active', async () => {
    const { context, apiKeyId } = await mintApiKey(service);
    const unknown = { reason: 'API_KEY_NOT_FOUND', code: 'NOT_FOUND', details: undefined };
    await expect(revoke(apiKeyId)).rejects.toMatchObject(unknown);
    await expect(revoke(newId('key_'))).rejects.toMatchObject(unknown);
    expect((await list({}, context)).active).toBe(1);
  });

  it('lets an API key revoke itself', async () => {
    const { context, apiKeyId } = await mintApiKey(service);
    expect(await revoke(apiKeyId, context)).toMatchObject({ status: 'revoked' });
  });
});
