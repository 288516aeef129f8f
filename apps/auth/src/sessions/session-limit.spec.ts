import { beforeAll, describe, expect, it } from '@jest/globals';
import { resolveCredential, type OpenedSession } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { RedisConnection } from '@vaultsvc/limits';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { internalContext, stopSchedule } from '@vaultsvc/testing/harness';
import { firstOwner, SignInFixture, tokenClaimsOf } from '../testing/sign-in-fixture.js';
import { SessionRepository } from './session.repository.js';

/** Live families of one user (OPEN-09). */
const LIVE_SESSIONS_MAX = 100;

const fixture = useFixture(
  () => SignInFixture.start({ algorithm: 'EdDSA' }),
  (started) => started.stop(),
);
beforeAll(() => stopSchedule(fixture.service));

/** Copies a session `count` times, each a second older than the one before. */
async function copySession(session: OpenedSession, count: number): Promise<void> {
  await fixture.rows(
    `INSERT INTO families (session_type, account_id, user_id, identity_id, delivery, secret, mac_key_id, created_at, expires_at)
     SELECT f.session_type, f.account_id, f.user_id, f.identity_id, f.delivery, f.secret, f.mac_key_id,
            f.created_at - n * interval '1 second', f.expires_at
       FROM families f, generate_series(1, $2) AS n WHERE f.id = $1`,
    tokenClaimsOf(session).sid,
    count,
  );
}

const liveOf = async (column: 'user_id' | 'identity_id', owner: string) =>
  (
    await fixture.rows(
      `SELECT id FROM families WHERE ${column} = $1 AND revoked_at IS NULL AND expires_at > now() ORDER BY created_at DESC`,
      owner,
    )
  ).map(({ id }) => id as string);

async function newUser() {
  const { subject, email } = fixture.addProviderUser();
  const { accountId, userIds } = await fixture.newAccount(firstOwner(email));
  return { subject, accountId, userId: userIds[0] as string, first: await fixture.signInByToken(subject) };
}

describe('OPEN-09: the live sessions of a user', () => {
  it('are 100 at most: the next sign-in ends the oldest and no other, with its event', async () => {
    const { subject, accountId, userId, first } = await newUser();
    await copySession(first, LIVE_SESSIONS_MAX - 1);
    const before = await liveOf('user_id', userId);
    const oldest = before.at(-1) as string;
    const session = await fixture.signInByToken(subject);
    expect(await liveOf('user_id', userId)).toEqual([tokenClaimsOf(session).sid, ...before.slice(0, -1)]);
    const ended = (await fixture.eventsOf(accountId)).filter(({ name }) => name === 'auth.session-ended');
    expect(ended.map(({ payload }) => payload['session_id'])).toEqual([oldest]);
    expect(await fixture.isLive(first)).toBe(true);
  });

  it('AUTH-32: are refused from the next request on once ended', async () => {
    const { subject, first } = await newUser();
    const { sid } = tokenClaimsOf(first);
    const body = { kind: 'session', key: sid } as const;
    await fixture.harness.bus.call(resolveCredential, { body }, internalContext()); // caches its record
    await copySession(first, LIVE_SESSIONS_MAX - 1);
    await fixture.rows(`UPDATE families SET created_at = now() - interval '1 day' WHERE id = $1`, sid);
    await fixture.signInByToken(subject);
    const record = await fixture.service.context.get(RedisConnection).command(['GET', `cred:s:${sid}`]);
    expect(JSON.parse(record as string)).toMatchObject({ status: 'revoked' });
    expect(await fixture.isLive(first)).toBe(false);
  });

  it('are the newest 100 after thirty concurrent sign-ins beyond the limit', async () => {
    const { subject, userId, first } = await newUser();
    await copySession(first, LIVE_SESSIONS_MAX - 10);
    const opened = await Promise.all(Array.from({ length: 30 }, () => fixture.signInByToken(subject)));
    const live = await liveOf('user_id', userId);
    expect(live).toHaveLength(LIVE_SESSIONS_MAX);
    expect(new Set(live.slice(0, 30))).toEqual(new Set(opened.map((session) => tokenClaimsOf(session).sid)));
  });

  it('do not count when they have ended or expired', async () => {
    const { subject, userId, first } = await newUser();
    await copySession(first, LIVE_SESSIONS_MAX * 2);
    const { sid } = tokenClaimsOf(first);
    await fixture.rows(
      `UPDATE families SET revoked_at = now() WHERE user_id = $1 AND id <> $2
          AND created_at > (SELECT created_at FROM families WHERE id = $2) - interval '100 seconds'`,
      userId,
      sid,
    );
    await fixture.rows(
      `UPDATE families SET created_at = created_at - interval '31 days', expires_at = now() - interval '1 second'
        WHERE user_id = $1 AND id <> $2 AND revoked_at IS NULL`,
      userId,
      sid,
    );
    const last = await fixture.signInByToken(subject);
    expect(await fixture.isLive(first)).toBe(true);
    const { context } = fixture.service;
    const live = await context.get(SessionRepository).liveOf(context.get(Database), userId);
    expect(live.toSorted()).toEqual([sid, tokenClaimsOf(last).sid].toSorted());
  });
});

describe('OPEN-09: the live sessions of an identity without a user', () => {
  it('are 100 at most', async () => {
    const { subject } = fixture.addProviderUser();
    const first = await fixture.signInByToken(subject);
    await copySession(first, LIVE_SESSIONS_MAX + 20);
    const last = await fixture.signInByToken(subject);
    const live = await liveOf('identity_id', tokenClaimsOf(first).sub);
    expect(live).toHaveLength(LIVE_SESSIONS_MAX);
    expect(live.slice(0, 2)).toEqual([tokenClaimsOf(last).sid, tokenClaimsOf(first).sid]);
  });
});
