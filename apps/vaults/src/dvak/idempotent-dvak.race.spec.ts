import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { removeUser } from '@vaultsvc/contracts/auth';
import { createDvak } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, deadlineIn, waitersWith, reasonOf, rowsOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { mintSession, newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent', DATABASE_STATEMENT_MS: '60000' });
let authService: RunningService;
beforeAll(async () => {
  authService = await platform.harness.start(auth, { LOG_LEVEL: 'silent' });
});

/** Whether vaults has processed the removal of the user. */
async function isProcessed(userId: string): Promise<boolean> {
  const [event] = await rowsOf<{ id: string }>(
    authService,
    `SELECT id FROM recorded_events WHERE name = 'auth.user-removed' AND payload->>'user_id' = $1`,
    [userId],
  );
  return (await platform.sql(`SELECT 1 FROM processed WHERE event_id = $1`, [event?.id])).length > 0;
}

/** Runs work while requests with an Idempotency-Key cannot commit. */
function beforeCommits<T>(work: () => Promise<T>): Promise<T> {
  return platform.service.context.get(Database).transaction(async (tx) => {
    await tx.manager.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await tx.manager.query('LOCK TABLE idempotency_keys IN EXCLUSIVE MODE');
    return work();
  });
}

describe('OPEN-67 DVK-15: a delegated key whose user is removed before its creation has committed', () => {
  it('does not stay active', async () => {
    const { accountId } = await newAccount(authService);
    const { subject: userId } = await mintSession(authService, { accountId, role: 'member' });
    const caller = accountContext({ accountId });
    const { vault_id, vmk } = await platform.newVault(caller);
    const params = { vault_id };
    const context: AccountContext = { ...caller, deadlineMs: deadlineIn(60), idempotencyKey: randomUUID() };
    const created = await beforeCommits(async () => {
      const outcome = reasonOf(
        platform.harness.bus.call(
          createDvak,
          { params, body: { vmk, dvak_type: 'user', authorized_user_id: userId, access_level: 'read' } },
          context,
        ),
      );
      await waitersWith(platform.service, 'INSERT INTO idempotency_keys');
      await platform.harness.bus.call(removeUser, { params: { user_id: userId } }, caller);
      await until(() => isProcessed(userId));
      return { outcome };
    });
    await created.outcome;
    const keys = await platform.sql<{ status: string }>(`SELECT status FROM dvaks WHERE vault_id = $1`, [
      vault_id,
    ]);
    expect(keys.map(({ status }) => status)).toEqual(['revoked']);
  });
});
