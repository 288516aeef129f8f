import { describe, expect, it } from '@jest/globals';
import { readPools, type UsagePools } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext } from '@vaultsvc/testing/harness';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({
  STORAGE_POOL_BYTES: '1000',
  BANDWIDTH_POOL_BYTES: '2000',
  IDENTITY_POOL_SEATS: '4',
});

const read = (accountId: string): Promise<UsagePools> =>
  platform.harness.bus.call(readPools, {}, accountContext({ accountId }));
const set = (accountId: string, columns: string) =>
  platform.sql(`UPDATE pools SET ${columns}, version = version + 1 WHERE account_id = $1`, [accountId]);

describe('reading the pools of an account', () => {
  it('ENV-11 ENV-12 MISC-06: returns the pools of the default plan for an unused account, and the end of the cycle', async () => {
    const before = Math.floor(Date.now() / 1_000);
    expect(await read(newId('acc_'))).toEqual({
      storage: { used: 0, limit: 1_000, pct: 0, state: 'ok' },
      bandwidth: { used: 0, limit: 2_000, pct: 0, state: 'ok', cycle_resets_at: expect.any(Number) },
      identity: { used: 1, limit: 4, pct: 0.25, state: 'ok' },
    });
    const { bandwidth } = await read(newId('acc_'));
    expect(bandwidth.cycle_resets_at).toBeGreaterThanOrEqual(before + 30 * 86_400);
  });

  it.each([
    [749, 'ok'],
    [750, 'notice'],
    [900, 'warning'],
    [1_000, 'exhausted'],
    [1_500, 'exhausted'],
  ])('OPEN-03: %i of 1,000 bytes are %s', async (used, state) => {
    const account = newId('acc_');
    await read(account);
    await set(account, `storage_used = ${used}`);
    expect((await read(account)).storage).toEqual({ used, limit: 1_000, pct: used / 1_000, state });
  });

  it('counts the reservations of incomplete uploads as used storage', async () => {
    const account = newId('acc_');
    await platform.reserve(account, newId('ver_'), 600);
    expect((await read(account)).storage).toMatchObject({ used: 600 });
  });

  it('starts a new cycle of bandwidth once the last one has ended', async () => {
    const account = newId('acc_');
    await read(account);
    await set(account, `bandwidth_used = 2000, cycle_resets_at = now() - interval '1 second'`);
    expect((await read(account)).bandwidth).toMatchObject({ used: 0, state: 'ok' });
  });

  it('has no figures of other accounts', async () => {
    const [one, other] = [newId('acc_'), newId('acc_')];
    await Promise.all([read(one), read(other)]);
    await set(other, 'storage_used = 1000');
    expect((await read(one)).storage).toMatchObject({ used: 0 });
  });
});
