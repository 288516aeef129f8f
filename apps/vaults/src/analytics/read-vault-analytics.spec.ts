import { describe, expect, it } from '@jest/globals';
import { readVaultAnalytics, sealVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { newVaultFixture } from '../testing/ingots.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'error' });
const MIB = 1_024 ** 2;
const DAY_SECONDS = 86_400;

const analytics = (vault_id: string, caller = accountContext(), period?: string) =>
  platform.call(readVaultAnalytics, { params: { vault_id }, query: { period } }, caller);

describe('the statistics of a vault', () => {
  it('RPT-24 RPT-25 RPT-26 RPT-27: are those of its ingots with content, and of its unsealings', async () => {
    const { vault_id, caller, store, call } = await newVaultFixture(platform);
    await store({ sizeBytes: 100 * MIB });
    await store({ sizeBytes: 100 * MIB - 1 });
    await store({ sizeBytes: MIB });
    await store({ sizeBytes: MIB - 1 });
    await store({ sizeBytes: 500 * MIB, status: 'uploading' });
    await store({ sizeBytes: 1, status: 'failed' });
    const stored = 202 * MIB - 2;
    expect(await analytics(vault_id, caller)).toEqual({
      vault: { vault_id, name: expect.any(String), status: 'unsealed', created_at: expect.any(Number) },
      statistics: {
        total_ingots: 4,
        ingots_created_this_period: 6,
        total_storage_bytes: stored,
        total_storage_gb: '0.20',
        average_ingot_size_bytes: Math.round(stored / 4),
        large_ingots_count: 1,
        small_ingots_count: 1,
        last_unsealed_at: expect.any(Number),
        unseal_count: 1,
      },
      activity: { period: 'month', ingots_created: 6, storage_added_bytes: stored },
    });
    await call(sealVault, { params: { vault_id } });
    expect((await analytics(vault_id, caller)).vault.status).toBe('sealed');
  });

  it('RPT-25: are zeros for a vault that was never used', async () => {
    const caller = accountContext();
    const { vault_id } = await platform.newVault(caller);
    expect((await analytics(vault_id, caller)).statistics).toEqual({
      total_ingots: 0,
      ingots_created_this_period: 0,
      total_storage_bytes: 0,
      total_storage_gb: '0.00',
      average_ingot_size_bytes: 0,
      large_ingots_count: 0,
      small_ingots_count: 0,
      last_unsealed_at: null,
      unseal_count: 0,
    });
  });

  it('RPT-23: count the ingots of a day, a week or a month, and of the whole history for any other period', async () => {
    const { vault_id, caller, store } = await newVaultFixture(platform);
    for (const days of [0, 6, 29, 31]) await store({ sizeBytes: 10, age: days * DAY_SECONDS + 60 });
    const createdIn = async (period?: string) => {
      const { statistics, activity } = await analytics(vault_id, caller, period);
      expect(activity).toEqual({
        period: period ?? 'month',
        ingots_created: statistics.ingots_created_this_period,
        storage_added_bytes: 10 * statistics.ingots_created_this_period,
      });
      expect(statistics.total_ingots).toBe(4);
      return activity.ingots_created;
    };
    expect(await createdIn('day')).toBe(1);
    expect(await createdIn('week')).toBe(2);
    expect(await createdIn('month')).toBe(3);
    expect(await createdIn()).toBe(3);
    for (const period of ['quarter', 'bogus', '', 'constructor', '\0'])
      expect(await createdIn(period)).toBe(4);
  });

  it('RPT-24 RPT-33: are not found for a vault that is unknown, of another account, or deleted', async () => {
    const { vault_id, caller } = await newVaultFixture(platform);
    expect(await reasonOf(analytics(newId('vlt_'), caller))).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(analytics(vault_id))).toBe('VAULT_NOT_FOUND');
    await platform.sql(`UPDATE vaults SET status = 'deleting', deleted_at = now() WHERE id = $1`, [vault_id]);
    expect(await reasonOf(analytics(vault_id, caller))).toBe('VAULT_NOT_FOUND');
  });
});

describe('OPEN-41: the sizes of small and large ingots', () => {
  const configured = usePlatform({ LOG_LEVEL: 'error', LARGE_INGOT_BYTES: '50', SMALL_INGOT_BYTES: '20' });

  it('are settings', async () => {
    const { vault_id, caller, store } = await newVaultFixture(configured);
    for (const sizeBytes of [19, 20, 49, 50, 51]) await store({ sizeBytes });
    const { statistics } = await configured.call(
      readVaultAnalytics,
      { params: { vault_id }, query: {} },
      caller,
    );
    expect(statistics).toMatchObject({ small_ingots_count: 1, large_ingots_count: 2 });
  });
});
