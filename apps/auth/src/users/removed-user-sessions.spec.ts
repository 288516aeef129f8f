import { beforeAll, describe, expect, it } from '@jest/globals';
import { listUsers, removeUser } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, lockWaiters, rowsOf, stopSchedule } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { mintSession, newAccount } from '@vaultsvc/tools-testing/accounts';
import pg from 'pg';
import { auth } from '../service-definition.js';
import { EndSessionsOfRemovedUsers } from './end-sessions-of-removed-users.job.js';
import { RemovedUserSessions } from './removed-user-sessions.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, auth);
beforeAll(() => stopSchedule(service));

/** Copies a session; without the checks of foreign keys, which take as long as the insert. */
async function copySession(sessionId: string, count: number): Promise<void> {
  const { adminUrl, schema } = await harness.schema('auth');
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`SET session_replication_role = replica`);
  await admin.query(
    `INSERT INTO ${schema}.families
       (session_type, account_id, user_id, delivery, secret, mac_key_id, created_at, expires_at)
     SELECT f.session_type, f.account_id, f.user_id, f.delivery, f.secret, f.mac_key_id,
            f.created_at - n * interval '1 ms', f.expires_at
       FROM ${schema}.families f, generate_series(1, $2) AS n WHERE f.id = $1`,
    [sessionId, count],
  );
  await admin.end();
}

async function newMember(sessions: number) {
  const { accountId } = await newAccount(service);
  const session = await mintSession(service, { accountId, role: 'member' });
  await copySession(session.sessionId, sessions - 1);
  return { ...session, key: accountContext({ accountId }) };
}

const unendedOf = async (userId: string) =>
  (
    await rowsOf<{ n: number }>(
      service,
      `SELECT count(*) AS n FROM families WHERE user_id = $1 AND revoked_at IS NULL`,
      [userId],
    )
  )[0]?.n;
const makeDue = (userId: string) =>
  rowsOf(service, `UPDATE users SET sessions_end_after = now() WHERE id = $1`, [userId]);

describe('OPEN-09: the removal of a user with very many sessions', () => {
  it('answers before its deadline with 500,000 sessions', async () => {
    const { subject, sessionId, accountId } = await newMember(500_000);
    const context = accountContext({ accountId: accountId as string }); // its deadline begins now
    await harness.bus.call(removeUser, { params: { user_id: subject } }, context);
    const [row] = await rowsOf(service, `SELECT revoked_at FROM families WHERE id = $1`, [sessionId]);
    expect(row?.['revoked_at']).not.toBeNull();
    const { users } = await harness.bus.call(listUsers, { query: { limit: 10 } }, context);
    expect(users.map(({ user_id }) => user_id)).not.toContain(subject);
  }, 300_000);

  it('ends no session of a user who is not removed', async () => {
    const { subject, accountId } = await newMember(3);
    await service.context.get(RemovedUserSessions).end(accountId as string, subject);
    expect(await unendedOf(subject)).toBe(3);
  });

  it('leaves the time of a session that a logout has ended meanwhile', async () => {
    const { subject, accountId } = await newMember(1);
    await rowsOf(service, `UPDATE users SET status = 'removed' WHERE id = $1`, [subject]);
    const logOut = statement(
      'test.log-out',
      `UPDATE families SET revoked_at = now() - interval '1 hour' WHERE user_id = $1`,
    );
    const { ending } = await service.context.get(Database).transaction(async (tx) => {
      await tx.query(logOut, [subject]);
      const removal = service.context.get(RemovedUserSessions).end(accountId as string, subject);
      await until(async () => (await lockWaiters(service)) > 0);
      return { ending: removal };
    });
    await ending;
    const ended = `SELECT revoked_at < now() - interval '59 minutes' AS by_logout FROM families WHERE user_id = $1`;
    expect(await rowsOf(service, ended, [subject])).toEqual([{ by_logout: true }]);
  });

  it('leaves the older ones to a job, which two instances may run, and which then has nothing to do', async () => {
    const { subject, key } = await newMember(2_600);
    await harness.bus.call(removeUser, { params: { user_id: subject } }, key);
    expect(await unendedOf(subject)).toBe(2_100);
    const sessions = service.context.get(RemovedUserSessions);
    const { accountId } = key.credential;
    await sessions.end(accountId, newId('usr_'));
    expect(await unendedOf(subject)).toBe(2_100); // they are of another user
    await sessions.end(accountId, subject);
    expect(await unendedOf(subject)).toBe(1_600);
    const job = service.context.get(EndSessionsOfRemovedUsers);
    await job.run();
    expect(await unendedOf(subject)).toBe(1_600); // cached records of the last sessions may still live
    await makeDue(subject);
    await Promise.all([job.run(), job.run()]);
    expect(await unendedOf(subject)).toBe(0);
    expect(await rowsOf(service, `SELECT sessions_end_after FROM users WHERE id = $1`, [subject])).toEqual([
      { sessions_end_after: null },
    ]);
  });
});
