import { describe, expect, it } from '@jest/globals';
import { readPoolAvailability } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { internalContext } from '@vaultsvc/testing/harness';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ STORAGE_POOL_BYTES: '1000', BANDWIDTH_POOL_BYTES: '1000' });

const read = (account_id: string) =>
  platform.harness.bus.call(readPoolAvailability, { body: { account_id } }, internalContext());

describe('reading the availability of pools', () => {
  it('ENV-23: returns the default plan and free pools for an unused account', async () => {
    expect(await read(newId('acc_'))).toEqual({
      plan: 'active',
      is_storage_exhausted: false,
      is_bandwidth_exhausted: false,
    });
  });

  it('ENV-24: reports each pool as exhausted once its last byte is used', async () => {
    const account = newId('acc_');
    await read(account);
    const used = (set: string) =>
      platform.sql(`UPDATE pools SET ${set}, version = version + 1 WHERE account_id = $1`, [account]);
    await used('bandwidth_used = 999');
    expect(await read(account)).toMatchObject({ is_bandwidth_exhausted: false });
    await used('bandwidth_used = 1000');
    expect(await read(account)).toMatchObject({ is_storage_exhausted: false, is_bandwidth_exhausted: true });
    await used('bandwidth_used = 0, storage_used = 1000');
    expect(await read(account)).toMatchObject({ is_storage_exhausted: true, is_bandwidth_exhausted: false });
    await used(`status = 'none'`);
    expect(await read(account)).toMatchObject({ plan: 'none' });
  });
});
