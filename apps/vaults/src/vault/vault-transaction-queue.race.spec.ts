import { describe, expect, it } from '@jest/globals';
import { createFolder, sealVault, updateIngot } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { lockWaiters, reasonOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { newVaultFixture, type VaultFixture } from '../testing/ingots.js';
import { usePlatform } from '../testing/platform.js';
import { VaultCounters } from './vault-counters.repository.js';

const platform = usePlatform({ LOG_LEVEL: 'silent', DATABASE_POOL_MAX: '6' });

/** Runs `work` while the vault is locked exclusively, and returns its result. */
function whileHeld<T>({ vault_id }: VaultFixture, work: () => Promise<T>): Promise<T> {
  const { context } = platform.service;
  return context.get(Database).transaction(async (tx) => {
    await context.get(VaultCounters).lock(tx, [vault_id]);
    return work();
  });
}

const waiting = () => lockWaiters(platform.service);

describe('VaultTransactionQueue', () => {
  it('leaves connections to callers of other vaults, and runs all transactions', async () => {
    const [busy, other] = [await newVaultFixture(platform), await newVaultFixture(platform)];
    const params = { vault_id: busy.vault_id };
    const waiters = await whileHeld(busy, async () => {
      const begun = Array.from({ length: 12 }, (_, i) =>
        reasonOf(busy.call(createFolder, { params, body: { name: `${i}` } })),
      );
      await until(async () => (await waiting()) === 2);
      await other.folder();
      return begun;
    });
    expect(await Promise.all(waiters)).toEqual(Array(12).fill('none'));
  });

  it('VLT-22: lets a seal overtake queued transactions, whose tokens then have ended', async () => {
    const fixture = await newVaultFixture(platform);
    const { vault_id } = fixture;
    const { ingot_id } = await fixture.store();
    const rename = () =>
      fixture.call(updateIngot, { params: { vault_id, ingot_id }, body: { name: newId('name_') } });
    const { renamed, sealed } = await whileHeld(fixture, async () => {
      const begun = Array.from({ length: 12 }, () => reasonOf(rename()));
      await until(async () => (await waiting()) === 2);
      const seal = platform.call(sealVault, { params: { vault_id } }, fixture.caller);
      await until(async () => (await waiting()) === 3);
      return { renamed: begun, sealed: reasonOf(seal) };
    });
    expect(await sealed).toBe('none');
    const outcomes = await Promise.all(renamed);
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'AUTHENTICATION_ERROR')).toHaveLength(10);
  });
});
