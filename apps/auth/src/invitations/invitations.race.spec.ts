import { beforeAll, describe, expect, it } from '@jest/globals';
import { removeUser, type OpenedSession, type SignInSession } from '@vaultsvc/contracts/auth';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext, readReason, stopSchedule } from '@vaultsvc/testing/harness';
import { raceUntilSeen } from '@vaultsvc/testing/races';
import { firstOwner, invitedUser, SignInFixture } from '../testing/sign-in-fixture.js';
import { ExpireInvitations } from './expire-invitations.job.js';

const fixture = useFixture(
  () => SignInFixture.start({ algorithm: 'ES256' }),
  (started) => started.stop(),
);
beforeAll(() => stopSchedule(fixture.service));

const ROUNDS = 20;

/** 'joined', or the reason of the refusal. */
const outcomeOf = (attempt: Promise<OpenedSession>) =>
  attempt.then(
    () => 'joined',
    (error: unknown) => readReason(error),
  );
const accept = (id: string, session: OpenedSession) => outcomeOf(fixture.acceptInvitation(id, session));

/** A person whom `count` organizations invite, with as many identity-only sessions. */
async function invitee(count: number) {
  const { subject, email } = fixture.addProviderUser();
  const accounts = [];
  for (let i = 0; i < count; i++) accounts.push(await fixture.newAccount(invitedUser(email)));
  const sessions: SignInSession[] = [];
  for (let i = 0; i < count; i++) sessions.push(await fixture.signIn(subject));
  const ids = accounts.map(({ userIds }) => userIds[0] as string);
  return { email, subject, ids, accountIds: accounts.map(({ accountId }) => accountId), sessions };
}

const statusesOf = async (ids: readonly string[]) =>
  (await fixture.rows(`SELECT status FROM users WHERE id = ANY($1) ORDER BY status`, ids)).map(
    ({ status }) => status,
  );
const countOf = async (accountId: string, name: string) =>
  (await fixture.eventsOf(accountId)).filter((event) => event.name === name).length;

describe('OPEN-59: an invitation', () => {
  it('is accepted once by one session that accepts it twenty times at once', async () => {
    const { ids, sessions, accountIds } = await invitee(1);
    const attempts = Array.from({ length: 20 }, () => accept(ids[0] as string, sessions[0] as never));
    const outcomes = (await Promise.all(attempts)).sort();
    expect(outcomes).toEqual([...Array.from({ length: 19 }, () => 'SIGNUP_COMPLETED'), 'joined']);
    expect(await countOf(accountIds[0] as string, 'auth.user-joined')).toBe(1);
  });

  it('is accepted by one of ten identities with its address', async () => {
    const { email, ids } = await invitee(1);
    const sessions: SignInSession[] = [];
    for (let i = 0; i < 10; i++)
      sessions.push(await fixture.signIn(fixture.addProviderUser({ email }).subject));
    const outcomes = await Promise.all(sessions.map((session) => accept(ids[0] as string, session)));
    expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['joined', 'INVITATION_NOT_FOUND']));
    expect(await fixture.rows(`SELECT 1 FROM identities WHERE user_id = $1`, ids[0])).toHaveLength(1);
  });

  it('is accepted while another one of the person is too: one organization wins', async () => {
    await raceUntilSeen(['first', 'second'], ROUNDS, async (startBoth) => {
      const { ids, sessions } = await invitee(2);
      const outcomes = await startBoth(
        () => accept(ids[0] as string, sessions[0] as never),
        () => accept(ids[1] as string, sessions[1] as never),
      );
      expect([...outcomes].sort()).toEqual(['SIGNUP_COMPLETED', 'joined']);
      expect(await statusesOf(ids)).toEqual(['active', 'invited']);
      return outcomes[0] === 'joined' ? 'first' : 'second';
    });
  });

  it('is accepted by an identity while another one with the address joins elsewhere: one of them wins', async () => {
    await raceUntilSeen(['first', 'second'], ROUNDS, async (startBoth) => {
      const { email, ids, sessions } = await invitee(2);
      const other = await fixture.signIn(fixture.addProviderUser({ email }).subject);
      const outcomes = await startBoth(
        () => accept(ids[0] as string, sessions[0] as never),
        () => accept(ids[1] as string, other),
      );
      expect([...outcomes].sort()).toEqual(['EMAIL_TAKEN', 'joined']);
      expect(await statusesOf(ids)).toEqual(['active', 'invited']);
      return outcomes[0] === 'joined' ? 'first' : 'second';
    });
  });

  it('is accepted while its person founds an organization: one of both happens', async () => {
    await raceUntilSeen(['accepted', 'founded'], ROUNDS, async (startBoth) => {
      const { ids, sessions, subject } = await invitee(1);
      sessions.push(await fixture.signIn(subject));
      const outcomes = await startBoth(
        () => accept(ids[0] as string, sessions[0] as never),
        () => outcomeOf(fixture.completeSignup(sessions[1] as never)),
      );
      expect([...outcomes].sort()).toEqual(['SIGNUP_COMPLETED', 'joined']);
      const isAccepted = outcomes[0] === 'joined';
      expect(await statusesOf(ids)).toEqual([isAccepted ? 'active' : 'invited']);
      return isAccepted ? 'accepted' : 'founded';
    });
  });

  it('that is withdrawn while it is accepted leaves no user and no session, in either order', async () => {
    await raceUntilSeen(['accepted first', 'withdrawn first'], ROUNDS, async (startBoth) => {
      const { ids, accountIds, sessions, subject } = await invitee(1);
      const [id, accountId] = [ids[0] as string, accountIds[0] as string];
      const [accepted] = await startBoth(
        () => fixture.acceptInvitation(id, sessions[0] as never).catch(readReason),
        () =>
          fixture.harness.bus.call(removeUser, { params: { user_id: id } }, accountContext({ accountId })),
      );
      expect(await statusesOf(ids)).toEqual(['removed']);
      expect(await countOf(accountId, 'auth.user-removed')).toBe(1);
      expect((await fixture.signIn(subject)).user).toBeNull();
      if (typeof accepted !== 'string') {
        expect(await fixture.isLive(accepted)).toBe(false);
        return 'accepted first';
      }
      expect(accepted).toBe('INVITATION_NOT_FOUND');
      return 'withdrawn first';
    });
  });

  it('that expires while it is accepted is either accepted or removed', async () => {
    const job = fixture.service.context.get(ExpireInvitations);
    await raceUntilSeen(['accepted', 'expired'], ROUNDS, async (startBoth) => {
      const { ids, accountIds, sessions } = await invitee(1);
      const [accepted] = await startBoth(
        () => accept(ids[0] as string, sessions[0] as never),
        async () => {
          await fixture.rows(`UPDATE users SET invitation_expires_at = now() WHERE id = $1`, ids[0]);
          await job.run();
        },
      );
      const isAccepted = accepted === 'joined';
      if (!isAccepted) expect(accepted).toBe('INVITATION_NOT_FOUND');
      await job.run(); // the first run skips a row that is being accepted
      expect(await statusesOf(ids)).toEqual([isAccepted ? 'active' : 'removed']);
      expect(await countOf(accountIds[0] as string, 'auth.user-removed')).toBe(isAccepted ? 0 : 1);
      return isAccepted ? 'accepted' : 'expired';
    });
  });
});

describe('OPEN-62: the owner of a first account', () => {
  it('is one of ten identities with the address that sign in at once', async () => {
    const { email } = fixture.addProviderUser();
    const { userIds } = await fixture.newAccount(firstOwner(email));
    const tokens = await Promise.all(
      Array.from({ length: 10 }, () => fixture.provider.idToken(fixture.addProviderUser({ email }).subject)),
    );
    const sessions = await Promise.all(tokens.map((token) => fixture.verify(token)));
    const users = sessions.flatMap(({ user }) => (user ? [user.user_id] : []));
    expect(users).toEqual(userIds);
  });
});
