import { describe, expect, it } from '@jest/globals';
import { fenceNow, outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { sharedServers } from '@vaultsvc/testing/servers';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { createClient } from '@redis/client';
import { restoreFence } from './restore-fence-steps.js';
import { useSessionFixture } from './testing/session-fixture.js';

const fixture = useSessionFixture();

/** The runbook empties Redis: it holds copies of what the database said before the restore. */
async function emptyRedis(): Promise<void> {
  const client = createClient({ url: sharedServers().redisUrl });
  await client.connect();
  await client.flushDb();
  client.destroy();
}

describe('AUTH-18 MISC-03: the restore fence of auth', () => {
  it('revokes all session families, whose tokens may have been exchanged since', async () => {
    const session = await mintSession(fixture.service);
    expect(await fixture.admits(session.sessionId)).toBe(true);
    const { counts } = await fenceNow(fixture.harness, restoreFence);
    expect(counts['session families revoked']).toBeGreaterThanOrEqual(1);
    await emptyRedis();
    expect(await reasonOf(fixture.refresh(session.refreshToken))).toBe('REFRESH_TOKEN_INVALID');
    expect(await fixture.admits(session.sessionId)).toBe(false);
  });

  it('OPEN-28: names the operator in an event for each session that it ended', async () => {
    const { sessionId, accountId, subject: userId } = await mintSession(fixture.service);
    await fenceNow(fixture.harness, restoreFence);
    await fenceNow(fixture.harness, restoreFence);
    expect(
      await outboxEvents(fixture.service, { session_id: sessionId }, { name: 'auth.session-ended' }),
    ).toEqual([
      {
        name: 'auth.session-ended',
        account_id: accountId,
        request_id: null,
        payload: {
          account_id: accountId,
          user_id: userId,
          session_id: sessionId,
          client_ip: null,
          user_agent: null,
          actor: { kind: 'operator', id: 'restore-fence' },
        },
      },
    ]);
  });

  it('keeps sessions that were opened after it', async () => {
    await fenceNow(fixture.harness, restoreFence);
    const session = await mintSession(fixture.service);
    expect(await reasonOf(fixture.refresh(session.refreshToken))).toBe('none');
    expect(await fixture.admits(session.sessionId)).toBe(true);
  });
});
