import { beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { mintSession, type SessionOptions } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { useSessionFixture } from '../testing/session-fixture.js';
import { DeleteExpiredSessions } from './delete-expired-sessions.job.js';

const fixture = useSessionFixture();
let secondJob: DeleteExpiredSessions;
let job: DeleteExpiredSessions;
beforeAll(async () => {
  job = fixture.service.context.get(DeleteExpiredSessions);
  const second = await fixture.harness.start(auth);
  secondJob = second.context.get(DeleteExpiredSessions);
  await stopSchedule(fixture.service, second);
});

const mint = (options?: SessionOptions) => mintSession(fixture.service, options);
const exists = async (table: 'families' | 'superseded' | 'identities', column: string, value: string) =>
  (await fixture.sql(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [value])).length > 0;
const setEnd = (sessionId: string, interval: string) =>
  fixture.sql(`UPDATE families SET revoked_at = now() - $2::interval WHERE id = $1`, [sessionId, interval]);
const setLastSignIn = (identityId: string, interval: string) =>
  fixture.sql(`UPDATE identities SET seen_at = now() - $2::interval WHERE id = $1`, [identityId, interval]);

describe('AUTH-17: session families', () => {
  it('are deleted thirty days after their expiry, with their exchanges', async () => {
    const [kept, deleted] = [await mint(), await mint()];
    await fixture.refresh(deleted.refreshToken);
    await fixture.ageExpiry(kept.sessionId, '59 days 23:59:00');
    await fixture.ageExpiry(deleted.sessionId, '60 days 00:00:01');
    await job.run();
    expect(await exists('families', 'id', kept.sessionId)).toBe(true);
    expect(await exists('families', 'id', deleted.sessionId)).toBe(false);
    expect(await exists('superseded', 'family_id', deleted.sessionId)).toBe(false);
  });

  it('are deleted thirty days after their end, whatever their expiry is', async () => {
    const [kept, deleted] = [await mint(), await mint()];
    await setEnd(kept.sessionId, '29 days 23:59:00');
    await setEnd(deleted.sessionId, '30 days 00:00:01');
    await job.run();
    expect(await exists('families', 'id', kept.sessionId)).toBe(true);
    expect(await exists('families', 'id', deleted.sessionId)).toBe(false);
  });

  it('leave tokens behind that are refused as invalid', async () => {
    const session = await mint();
    await setEnd(session.sessionId, '31 days');
    await job.run();
    expect(await reasonOf(fixture.refresh(session.refreshToken))).toBe('REFRESH_TOKEN_INVALID');
    await fixture.logout(session.refreshToken);
    expect(await fixture.admits(session.sessionId)).toBe(false);
  });

  it('are deleted in batches, by two instances concurrently, and live ones are kept', async () => {
    const [session, live] = [await mint(), await mint()];
    await fixture.sql(
      `INSERT INTO families (session_type, account_id, user_id, delivery, secret, mac_key_id, created_at, expires_at)
       SELECT f.session_type, f.account_id, f.user_id, f.delivery, f.secret, f.mac_key_id,
              now() - interval '99 days', now() - interval '69 days'
         FROM families f, generate_series(1, 1300) WHERE f.id = $1`,
      [session.sessionId],
    );
    await Promise.all([job.run(), secondJob.run()]);
    await job.run();
    const [left] = await fixture.sql(`SELECT count(*) AS n FROM families WHERE user_id = $1`, [
      session.subject,
    ]);
    expect(left).toEqual({ n: 1 });
    expect(await reasonOf(fixture.refresh(live.refreshToken))).toBe('none');
  });
});

describe('AUTH-09 OPEN-59: identities', () => {
  it('are deleted ninety days after their last sign-in without a sign-up', async () => {
    const sessions = [
      await mint({ sessionType: 'identity_only' }),
      await mint({ sessionType: 'identity_only' }),
    ];
    for (const { refreshToken } of sessions) await fixture.logout(refreshToken);
    const [kept, deleted] = sessions.map(({ subject }) => subject) as [string, string];
    await setLastSignIn(kept, '89 days 23:59:00');
    await setLastSignIn(deleted, '90 days 00:00:01');
    await job.run();
    expect(await exists('identities', 'id', kept)).toBe(true);
    expect(await exists('identities', 'id', deleted)).toBe(false);
  });

  it('are kept while a session can still complete the sign-up', async () => {
    const { subject, refreshToken } = await mint({ sessionType: 'identity_only' });
    await setLastSignIn(subject, '1 year');
    await job.run();
    expect(await exists('identities', 'id', subject)).toBe(true);
    await fixture.logout(refreshToken);
    await job.run();
    expect(await exists('identities', 'id', subject)).toBe(false);
  });

  it('are deleted, too, when their last session has expired instead of being ended', async () => {
    const { subject, sessionId } = await mint({ sessionType: 'identity_only' });
    await setLastSignIn(subject, '91 days');
    await fixture.ageExpiry(sessionId, '30 days 00:00:01');
    await job.run();
    expect(await exists('identities', 'id', subject)).toBe(false);
  });

  it('are kept once they belong to a user', async () => {
    const [{ subject, refreshToken }, user] = [await mint({ sessionType: 'identity_only' }), await mint()];
    await fixture.sql(`UPDATE identities SET user_id = $2 WHERE id = $1`, [subject, user.subject]);
    await fixture.logout(refreshToken);
    await setLastSignIn(subject, '10 years');
    await job.run();
    expect(await exists('identities', 'id', subject)).toBe(true);
  });
});
