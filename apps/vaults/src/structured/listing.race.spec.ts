import { expect, it } from '@jest/globals';
import { sealVault } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { lockWaiters, reasonOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { usePlatform } from '../testing/platform.js';
import { newStructuredFixture } from '../testing/structured.js';

const platform = usePlatform({ LOG_LEVEL: 'silent', DATABASE_POOL_MAX: '6' });

const MANY = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`key ${i}`, i]));

/** Blocks every read of names while `work` runs. */
function whileUnreadable<T>(work: () => Promise<T>): Promise<T> {
  return platform.service.context.get(Database).transaction(async (tx) => {
    await tx.manager.query('LOCK TABLE structured_values');
    return work();
  });
}

it('STR-09: concurrent listings of many keys leave connections for other vaults, and all succeed', async () => {
  const [busy, other] = [await newStructuredFixture(platform), await newStructuredFixture(platform)];
  const { ingot_id } = await busy.create(MANY);
  const listings = await whileUnreadable(async () => {
    const started = Promise.all(Array.from({ length: 12 }, () => busy.describe(ingot_id)));
    await until(async () => (await lockWaiters(platform.service)) > 0);
    await other.folder();
    return { started };
  });
  const counts = (await listings.started).map(({ keys }) => keys?.length);
  expect(counts).toEqual(Array(12).fill(101));
});

it('VLT-22: a queued listing of many keys fails once the vault is sealed', async () => {
  const fixture = await newStructuredFixture(platform);
  const { ingot_id } = await fixture.create(MANY);
  const [, waiter] = await whileUnreadable(async () => {
    const started = [reasonOf(fixture.describe(ingot_id)), reasonOf(fixture.describe(ingot_id))];
    await until(async () => (await lockWaiters(platform.service)) > 0);
    await platform.call(sealVault, { params: { vault_id: fixture.vault_id } }, fixture.caller);
    return started;
  });
  expect(await waiter).toBe('AUTHENTICATION_ERROR');
});
