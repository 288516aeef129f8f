import { beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey, readApiKeyAnalytics, revokeApiKey } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness, useRedisInspector, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, reasonOf, rowsOf, stopSchedule } from '@vaultsvc/testing/harness';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'error' });
const service = useService(harness, auth);
const redis = useRedisInspector();
beforeAll(() => stopSchedule(service));

const DAY_SECONDS = 86_400;
const now = () => Math.floor(Date.now() / 1_000);

async function newKey() {
  const { context, accountId } = await mintApiKey(service);
  const created = await harness.bus.call(createApiKey, { body: { name: 'CI' } }, context);
  const read = (caller = context) =>
    harness.bus.call(readApiKeyAnalytics, { params: { api_key_id: created.api_key_id } }, caller);
  const shift = (column: 'created_at' | 'last_used_at', seconds: number) =>
    rowsOf(service, `UPDATE api_keys SET ${column} = now() - make_interval(secs => $2) WHERE id = $1`, [
      created.api_key_id,
      seconds,
    ]);
  return { ...created, context, accountId, read, shift };
}

describe('the statistics of an API key', () => {
  it('RPT-28 RPT-29: show a key that was never used', async () => {
    const { api_key_id, key_preview, created_at, read } = await newKey();
    expect(await read()).toEqual({
      api_key: { api_key_id, name: 'CI', key_preview, status: 'active', created_at },
      usage: { last_used_at: null, days_since_last_used: null, days_since_creation: 0, is_active: false },
      note: expect.stringContaining('not included'),
    });
  });

  it('RPT-29: count whole days since creation and last use; a key is active for 30 days after it', async () => {
    const { read, shift } = await newKey();
    await shift('created_at', 40 * DAY_SECONDS + 3_600);
    await shift('last_used_at', 30 * DAY_SECONDS - 3_600);
    expect((await read()).usage).toMatchObject({
      days_since_creation: 40,
      days_since_last_used: 29,
      is_active: true,
    });
    await shift('last_used_at', 30 * DAY_SECONDS + 3_600);
    expect((await read()).usage).toMatchObject({ days_since_last_used: 30, is_active: false });
  });

  it('RPT-29 KEY-14: include a use that is only in Redis yet', async () => {
    const { api_key_id, read } = await newKey();
    const usedAt = now() - 5;
    await redis.command('HSET', 'used', api_key_id, String(usedAt));
    expect((await read()).usage).toMatchObject({
      last_used_at: usedAt,
      days_since_last_used: 0,
      is_active: true,
    });
  });

  it('RPT-28: show a revoked key too', async () => {
    const { api_key_id, context, read } = await newKey();
    await harness.bus.call(revokeApiKey, { params: { api_key_id } }, context);
    expect((await read()).api_key.status).toBe('revoked');
  });

  it('RPT-30: have the same note for every key', async () => {
    const [one, two] = [await newKey(), await newKey()];
    expect((await one.read()).note).toBe((await two.read()).note);
  });

  it('RPT-28 RPT-33: are not found for an unknown key and for one of another account', async () => {
    const { read, context } = await newKey();
    expect(await reasonOf(read(accountContext()))).toBe('API_KEY_NOT_FOUND');
    const unknown = { params: { api_key_id: newId('key_') } };
    expect(await reasonOf(harness.bus.call(readApiKeyAnalytics, unknown, context))).toBe('API_KEY_NOT_FOUND');
  });
});
