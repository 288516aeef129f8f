import { beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { mintSession, type SessionOptions } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { useSessionPlatform } from '../testing/sessions.js';
import { DeleteExpiredSessions } from './delete-expired-sessions.job.js';

const platform = useSessionPlatform();
let copy: DeleteExpiredSessions;
let job: DeleteExpiredSessions;
beforeAll(async () => {
  job = platform.service.context.get(DeleteExpiredSessions);
  const second = await platform.harness.start(auth);
  copy = second.context.get(DeleteExpiredSessions);
  await stopSchedule(platform.service, second);
});

const mint = (options?: SessionOptions) => mintSession(platform.service, options);
const known = async (table: 'families' | 'superseded' | 'identities', column: string, value: string) =>
  (await platform.sql(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [value])).length > 0;
const endedAgo = (sessionId: string, interval: string) =>
  platform.sql(`UPDATE families SET revoked_at = now() - $2::interval WHERE id = $1`, [sessionId, interval]);
const unseenFor = (identityId: string, interval: string) =>
  platform.sql(`UPDATE identities SET seen_at = now() - $2::interval WHERE id = $1`, [identityId, interval]);

describe('session families', () => {
  it('are remembered for thirty days after their expiry and forgotten then, with their exchanges', async () => {
    const [kept, forgotten] = [await mint(), await mint()];
    await platform.refresh(forgotten.refreshToken);
    await platform.ageExpiry(kept.sessionId, '59 days 23:59:00');
    await platform.ageExpiry(forgotten.sessionId, '60 days 00:00:01');
    await job.run();
    expect(await known('families', 'id', kept.sessionId)).toBe(true);
    expect(await known('families', 'id', forgotten.sessionId)).toBe(false);
    expect(await known('superseded', 'family_id', forgotten.sessionId)).toBe(false);
  });

  it('are remembered for thirty days after their end, whatever their expiry was', async () => {
    const [kept, forgotten] = [await mint(), await mint()];
    await endedAgo(kept.sessionId, '29 days 23:59:00');
    await endedAgo(forgotten.sessionId, '30 days 00:00:01');
    await job.run();
    expect(await known('families', 'id', kept.sessionId)).toBe(true);
    expect(await known('families', 'id', forgotten.sessionId)).toBe(false);
  });

  it('leave tokens behind that are like any junk', async () => {
    const session = await mint();
    await endedAgo(session.sessionId, '31 days');
    await job.run();
    expect(await reasonOf(platform.refresh(session.refreshToken))).toBe('REFRESH_TOKEN_INVALID');
    await platform.logout(session.refreshToken);
    expect(await platform.admits(session.sessionId)).toBe(false);
  });

  it('go in portions, by two copies at once, and live ones stay', async () => {
    const [session, live] = [await mint(), await mint()];
    await platform.sql(
      `INSERT INTO families (session_type, account_id, user_id, delivery, secret, mac_key_id, created_at, expires_at)
       SELECT f.session_type, f.account_id, f.user_id, f.delivery, f.secret, f.mac_key_id,
              now() - interval '99 days', now() - interval '69 days'
         FROM families f, generate_series(1, 1300) WHERE f.id = $1`,
      [session.sessionId],
    );
    await Promise.all([job.run(), copy.run()]);
    await job.run();
    const [left] = await platform.sql(`SELECT count(*) AS n FROM families WHERE user_id = $1`, [
      session.subject,
    ]);
    expect(left).toEqual({ n: 1 });
    expect(await reasonOf(platform.refresh(live.refreshToken))).toBe('none');
  });
});

describe('identities that never registered', () => {
  it('are remembered for ninety days after their last sign-in and forgotten then', async () => {
    const sessions = [
      await mint({ sessionType: 'identity_only' }),
      await mint({ sessionType: 'identity_only' }),
    ];
    for (const { refreshToken } of sessions) await platform.logout(refreshToken);
    const [kept, forgotten] = sessions.map(({ subject }) => subject) as [string, string];
    await unseenFor(kept, '89 days 23:59:00');
    await unseenFor(forgotten, '90 days 00:00:01');
    await job.run();
    expect(await known('identities', 'id', kept)).toBe(true);
    expect(await known('identities', 'id', forgotten)).toBe(false);
  });

  it('stay while a session could still complete the sign-up', async () => {
    const { subject, refreshToken } = await mint({ sessionType: 'identity_only' });
    await unseenFor(subject, '1 year');
    await job.run();
    expect(await known('identities', 'id', subject)).toBe(true);
    await platform.logout(refreshToken);
    await job.run();
    expect(await known('identities', 'id', subject)).toBe(false);
  });

  it('stay for ever once they belong to a user', async () => {
    const [{ subject, refreshToken }, user] = [await mint({ sessionType: 'identity_only' }), await mint()];
    await platform.sql(`UPDATE identities SET user_id = $2 WHERE id = $1`, [subject, user.subject]);
    await platform.logout(refreshToken);
    await unseenFor(subject, '10 years');
    await job.run();
    expect(await known('identities', 'id', subject)).toBe(true);
  });
});
