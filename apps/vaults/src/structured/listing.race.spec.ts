import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sealVault } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { lockWaiters, reasonOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { startPlatform, type Platform } from '../testing/platform.js';
import { newStructuredShelf } from '../testing/structured.js';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ LOG_LEVEL: 'silent', DATABASE_POOL_MAX: '6' });
});
afterAll(() => platform.harness.stop());

const MANY = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`key ${i}`, i]));

/** Keeps everybody from reading names while something is done, and gives what that gives. */
function whileUnreadable<T>(work: () => Promise<T>): Promise<T> {
  return platform.service.context.get(Database).transaction(async (tx) => {
    await tx.manager.query('LOCK TABLE structured_values');
    return work();
  });
}

it('STR-09: those who list many keys leave connections to callers of other vaults, and are all served', async () => {
  const [busy, other] = [await newStructuredShelf(platform), await newStructuredShelf(platform)];
  const { ingot_id } = await busy.create(MANY);
  const listings = await whileUnreadable(async () => {
    const begun = Promise.all(Array.from({ length: 12 }, () => busy.describe(ingot_id)));
    await until(async () => (await lockWaiters(platform.service)) > 0);
    await other.folder();
    return { begun };
  });
  const counts = (await listings.begun).map(({ keys }) => keys?.length);
  expect(counts).toEqual(Array(12).fill(101));
});

it('VLT-22: those who wait to list many keys learn none of them once the vault is sealed', async () => {
  const shelf = await newStructuredShelf(platform);
  const { ingot_id } = await shelf.create(MANY);
  const [, waiter] = await whileUnreadable(async () => {
    const begun = [reasonOf(shelf.describe(ingot_id)), reasonOf(shelf.describe(ingot_id))];
    await until(async () => (await lockWaiters(platform.service)) > 0);
    await platform.call(sealVault, { params: { vault_id: shelf.vault_id } }, shelf.caller);
    return begun;
  });
  expect(await waiter).toBe('AUTHENTICATION_ERROR');
});
