import { beforeAll, expect, it } from '@jest/globals';
import { removeUser } from '@vaultsvc/contracts/auth';
import { createDvak } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, lockWaiters, reasonOf, rowsOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { mintSession, newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { usePlatform } from '../testing/platform.js';
import { VaultCounters } from '../vault/vault-counters.repository.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let authService: RunningService;
beforeAll(async () => {
  authService = await platform.harness.start(auth, { LOG_LEVEL: 'silent' });
});

/** Whether vaults has applied the removal of a user. */
async function isTold(userId: string): Promise<boolean> {
  const [event] = await rowsOf<{ id: string }>(
    authService,
    `SELECT id FROM recorded_events WHERE name = 'auth.user-removed' AND payload->>'user_id' = $1`,
    [userId],
  );
  return (await platform.sql(`SELECT 1 FROM processed WHERE event_id = $1`, [event?.id])).length > 0;
}

it('DVK-15: creating a key during the removal of its user fails, and the key is revoked', async () => {
  const { accountId } = await newAccount(authService);
  const { subject: userId } = await mintSession(authService, { accountId, role: 'member' });
  const caller = accountContext({ accountId });
  const { vault_id, vmk } = await platform.newVault(caller);
  const { context } = platform.service;
  const { made } = await context.get(Database).transaction(async (tx) => {
    await context.get(VaultCounters).lock(tx, [vault_id]);
    const body = { vmk, authorized_user_id: userId };
    const outcome = reasonOf(platform.call(createDvak, { params: { vault_id }, body }, caller));
    await until(async () => (await lockWaiters(platform.service)) === 1);
    await platform.harness.bus.call(removeUser, { params: { user_id: userId } }, caller);
    await until(() => isTold(userId));
    return { made: outcome };
  });
  expect(await made).toBe('VALIDATION_ERROR');
  const keys = await platform.sql(`SELECT status, wrapped_key FROM dvaks WHERE vault_id = $1`, [vault_id]);
  expect(keys).toEqual([{ status: 'revoked', wrapped_key: null }]);
  const published = await platform.sql<{ name: string }>(
    `SELECT name FROM recorded_events WHERE payload->>'vault_id' = $1 AND name LIKE '%dvak%' ORDER BY seq`,
    [vault_id],
  );
  expect(published.map(({ name }) => name)).toEqual(['vaults.dvak-created', 'vaults.dvak-revoked']);
});
