import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext, CallContext } from '@vaultsvc/contracts';
import {
  acceptInvitation,
  declineInvitation,
  describeInvitation,
  inviteUser,
  listApiKeys,
  listUsers,
  readMe,
  removeUser,
  type OpenedSession,
  type PendingInvitation,
  type User,
} from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { mintSession, newAccount } from '@vaultsvc/tools-testing/accounts';
import { sessionContext } from '../testing/session-fixture.js';
import { identityContextOf, invitedUser, SignInFixture, tokenClaimsOf } from '../testing/sign-in-fixture.js';
import { ExpireInvitations } from './expire-invitations.job.js';

const DAY = 86_400;
const UNKNOWN = { reason: 'INVITATION_NOT_FOUND', status: 404 };

const fixture = useFixture(
  () => SignInFixture.start({ algorithm: 'ES256' }),
  (started) => started.stop(),
);
beforeAll(() => stopSchedule(fixture.service));

/** A new account whose owner invites. */
async function newInviter(): Promise<AccountContext> {
  const { accountId, userId } = await newAccount(fixture.service);
  return accountContext({ kind: 'session', accountId, userId, role: 'owner' });
}

const invite = (email: string, as: AccountContext, role: User['role'] = 'member') =>
  fixture.harness.bus.call(inviteUser, { body: { email, role, seat: 'viewer' } }, as);
const withdraw = (user_id: string, as: AccountContext) =>
  fixture.harness.bus.call(removeUser, { params: { user_id } }, as);
const accept = (invitation_id: string, session: OpenedSession) =>
  fixture.acceptInvitation(invitation_id, session);
const decline = (invitation_id: string, session: OpenedSession) =>
  fixture.harness.bus.call(declineInvitation, { params: { invitation_id } }, identityContextOf(session));
const me = (session: OpenedSession) => fixture.harness.bus.call(readMe, {}, identityContextOf(session));
const listed = async (session: OpenedSession) =>
  (await me(session)).invitations?.map(({ invitation_id }) => invitation_id);
const usersOf = async (as: AccountContext) =>
  (await fixture.harness.bus.call(listUsers, { query: { limit: 100 } }, as)).users;
const statusOf = async (id: string) =>
  (await fixture.rows(`SELECT status FROM users WHERE id = $1`, id))[0]?.['status'];
const expire = (id: string) =>
  fixture.rows(`UPDATE users SET invitation_expires_at = now() WHERE id = $1`, id);
const eventsOf = async ({ credential }: AccountContext, userId: string) =>
  (await fixture.eventsOf(credential.accountId)).filter(({ payload }) => payload['user_id'] === userId);

/** An invited person, signed in. */
async function invitedPerson(role: User['role'] = 'member') {
  const inviter = await newInviter();
  const { subject, email } = fixture.addProviderUser({ name: 'Ann' });
  const { user_id: id } = await invite(email, inviter, role);
  return { inviter, subject, email, id, session: await fixture.signIn(subject) };
}

describe('OPEN-59: the first sign-in of an invited person', () => {
  it('AUTH-06 AMB-19: opens an identity-only session that lists the invitation, and joins nothing', async () => {
    const inviter = await newInviter();
    const [owner] = await usersOf(inviter);
    const { subject, email } = fixture.addProviderUser();
    const { user_id, created_at } = await invite(email.toUpperCase(), inviter, 'admin');
    const session = await fixture.signIn(subject);
    const invitation: PendingInvitation = {
      invitation_id: user_id,
      organization_name: 'Test organization',
      role: 'admin',
      invited_by: owner?.email as string,
      expires_at: created_at + 14 * DAY,
    };
    expect(session).toMatchObject({ user: null, account: null, invitations: [invitation] });
    expect(tokenClaimsOf(session)).toMatchObject({ session_type: 'identity_only' });
    expect(await me(session)).toEqual({
      user: null,
      account: null,
      role: null,
      seat: null,
      credential: 'identity_only',
      invitations: [invitation],
    });
    expect(await statusOf(user_id)).toBe('invited');
    expect((await eventsOf(inviter, user_id)).map(({ name }) => name)).not.toContain('auth.user-joined');
  });

  it('lists no invitation for a person without one, and has no list in a full session', async () => {
    const { subject } = fixture.addProviderUser();
    const session = await fixture.signIn(subject);
    expect(session.invitations).toEqual([]);
    expect(await fixture.completeSignup(session)).not.toHaveProperty('invitations');
    expect(await fixture.signIn(subject)).not.toHaveProperty('invitations');
  });

  it('lists the open invitations of all organizations, oldest first, in any spelling of the address', async () => {
    const inviters = [await newInviter(), await newInviter(), await newInviter(), await newInviter()];
    const { subject, email } = fixture.addProviderUser({ email: `ann@${newId('d_').slice(2)}.example.test` });
    const spellings = [email.toUpperCase(), email, `${email}.`, email.toLowerCase()];
    const ids: string[] = [];
    for (const [index, as] of inviters.entries())
      ids.push((await invite(spellings[index] as string, as)).user_id);
    await invite(fixture.addProviderUser().email, inviters[0] as AccountContext);
    await withdraw(ids[1] as string, inviters[1] as AccountContext);
    await fixture.rows(
      `UPDATE accounts SET status = 'suspended' WHERE id = $1`,
      inviters[3]?.credential.accountId,
    );
    expect(await listed(await fixture.signIn(subject))).toEqual([ids[0], ids[2]]);
  });

  it('names no inviter for an API key and after the removal of the inviting user', async () => {
    const { accountId } = await newAccount(fixture.service);
    const key = accountContext({ accountId });
    const { subject: admin } = await mintSession(fixture.service, { accountId, role: 'admin' });
    const invitees = [fixture.addProviderUser(), fixture.addProviderUser()] as const;
    await invite(invitees[0].email, key);
    await invite(invitees[1].email, accountContext({ ...key.credential, kind: 'session', userId: admin }));
    await withdraw(admin, key);
    for (const { subject } of invitees)
      expect((await fixture.signIn(subject)).invitations).toMatchObject([{ invited_by: null }]);
  });

  it('AUTH-12 DOM-13: lists those of the organization alone that has claimed the domain', async () => {
    const [one, claimant] = [await newInviter(), await newInviter()];
    const { subject, email } = fixture.addProviderUser();
    const ids = [(await invite(email, one)).user_id, (await invite(email, claimant)).user_id];
    await fixture.claim(claimant.credential.accountId, email);
    const session = await fixture.signIn(subject);
    expect(await listed(session)).toEqual([ids[1]]);
    await expect(accept(ids[0] as string, session)).rejects.toMatchObject({
      reason: 'DOMAIN_CLAIMED',
      status: 403,
    });
    expect(await accept(ids[1] as string, session)).toMatchObject({ user: { user_id: ids[1] } });
  });
});

describe('OPEN-59: POST /v1/invitations/{invitation_id}/accept', () => {
  it('AUTH-11: opens a full session with role and seat of the invitation, the address of the provider and its name', async () => {
    const inviter = await newInviter();
    const { subject, email } = fixture.addProviderUser({ name: 'Ann' });
    const { user_id: id } = await invite(email.toUpperCase(), inviter, 'admin');
    const before = await fixture.signIn(subject);
    const { accountId } = inviter.credential;
    const session = await accept(id, before);
    expect(session).toEqual({
      access_token: expect.stringMatching(/^ey/),
      refresh_token: expect.stringMatching(/^vkr_/),
      user: { user_id: id, email, name: 'Ann', role: 'admin' },
      account: { account_id: accountId, organization_name: 'Test organization', status: 'active' },
    });
    expect(tokenClaimsOf(session)).toMatchObject({ sub: id, session_type: 'full' });
    expect(await fixture.rows(`SELECT status, seat, version FROM users WHERE id = $1`, id)).toEqual([
      { status: 'active', seat: 'viewer', version: 2 },
    ]);
    expect(await fixture.isLive(session)).toBe(true);
    expect(await fixture.isLive(before)).toBe(false);
    expect(await fixture.signIn(subject)).toMatchObject({ user: session.user, account: session.account });
    const events = await eventsOf(inviter, id);
    expect(events.map(({ name }) => name)).toEqual([
      'auth.user-added',
      'auth.user-invited',
      'auth.user-joined',
      'auth.session-opened',
      'auth.session-opened',
    ]);
    expect(JSON.stringify(events)).not.toContain('@');
    const caller = accountContext({ kind: 'session', accountId, userId: id, role: 'admin' });
    await fixture.harness.bus.call(listApiKeys, { query: { limit: 1 } }, caller);
  });

  it('keeps a name that the invitation gave', async () => {
    const { subject, email } = fixture.addProviderUser({ name: 'Ann' });
    const { userIds } = await fixture.newAccount(invitedUser(email, { name: 'Given' }));
    const session = await accept(userIds[0] as string, await fixture.signIn(subject));
    expect(session.user?.name).toBe('Given');
  });

  it('is refused like an unknown one for an invitation of another person, and for one that has ended', async () => {
    const { inviter, session } = await invitedPerson();
    const other = await invitedPerson();
    const { user_id: withdrawn } = await invite(fixture.addProviderUser().email, inviter);
    await withdraw(withdrawn, inviter);
    const [owner] = await usersOf(inviter);
    for (const id of [newId('usr_'), other.id, withdrawn, owner?.user_id as string]) {
      await expect(accept(id, session)).rejects.toMatchObject(UNKNOWN);
      await expect(decline(id, session)).rejects.toMatchObject(UNKNOWN);
    }
    expect(await statusOf(other.id)).toBe('invited');
    expect(await fixture.isLive(session)).toBe(true);
  });

  it('is refused with 403 while the organization is suspended', async () => {
    const { inviter, id, session } = await invitedPerson();
    const suspend = (status: string) =>
      fixture.rows(`UPDATE accounts SET status = $2 WHERE id = $1`, inviter.credential.accountId, status);
    await suspend('suspended');
    await expect(accept(id, session)).rejects.toMatchObject({ reason: 'ACCOUNT_SUSPENDED', status: 403 });
    expect(await statusOf(id)).toBe('invited');
    await suspend('active');
    expect(await accept(id, session)).toMatchObject({ user: { user_id: id } });
  });

  it('is refused with 409 to an identity that belongs to an organization by now', async () => {
    const { subject, id, session } = await invitedPerson();
    const second = await fixture.signIn(subject);
    await fixture.completeSignup(session);
    await expect(accept(id, second)).rejects.toMatchObject({ reason: 'SIGNUP_COMPLETED', status: 409 });
    expect(await statusOf(id)).toBe('invited');
  });

  it('AMB-19: is refused with 403 to full sessions and API keys, even if the gateway admits them', async () => {
    const { id, inviter } = await invitedPerson();
    const input = { params: { invitation_id: id } };
    const callers: CallContext[] = [inviter, accountContext({ accountId: inviter.credential.accountId })];
    for (const { credential } of callers)
      for (const op of [acceptInvitation, declineInvitation])
        expect(await reasonOf(fixture.harness.bus.call(op, input, sessionContext('body', credential)))).toBe(
          'IDENTITY_SESSION_REQUIRED',
        );
  });

  it('leaves the invitation open when the identity-only session has ended', async () => {
    const { id, session } = await invitedPerson();
    await fixture.rows(`UPDATE families SET revoked_at = now() WHERE id = $1`, tokenClaimsOf(session).sid);
    await expect(accept(id, session)).rejects.toMatchObject({ reason: 'AUTHENTICATION_ERROR' });
    expect(await statusOf(id)).toBe('invited');
  });
});

describe('OPEN-59: an invited person who does not want to join', () => {
  it('founds an own organization instead; the invitation stays open until it expires', async () => {
    const { subject, id, session } = await invitedPerson();
    const own = await fixture.completeSignup(session, { organization_name: 'Own' });
    expect(own).toMatchObject({ user: { role: 'owner' }, account: { organization_name: 'Own' } });
    expect((await fixture.signIn(subject)).account?.organization_name).toBe('Own');
    expect(await statusOf(id)).toBe('invited');
  });

  it('declines, which removes the invited user, frees its seat and lets the organization invite again', async () => {
    const { inviter, email, id, session } = await invitedPerson();
    expect(await decline(id, session)).toEqual({ invitation_id: id, declined: true });
    expect(await listed(session)).toEqual([]);
    expect((await usersOf(inviter)).map(({ status }) => status)).toEqual(['active']);
    const { accountId } = inviter.credential;
    expect((await eventsOf(inviter, id)).at(-1)).toEqual({
      name: 'auth.user-removed',
      payload: { account_id: accountId, user_id: id, actor_id: id },
    });
    await expect(decline(id, session)).rejects.toMatchObject(UNKNOWN);
    await expect(accept(id, session)).rejects.toMatchObject(UNKNOWN);
    const again = await invite(email, inviter);
    expect(await listed(session)).toEqual([again.user_id]);
  });
});

describe('OPEN-59: an invitation after 14 days', () => {
  it('is neither listed nor mailed, and can be neither accepted nor declined', async () => {
    const { inviter, id, session } = await invitedPerson();
    await expire(id);
    expect(await listed(session)).toEqual([]);
    expect((await usersOf(inviter)).map(({ user_id }) => user_id)).not.toContain(id);
    await expect(accept(id, session)).rejects.toMatchObject(UNKNOWN);
    await expect(decline(id, session)).rejects.toMatchObject(UNKNOWN);
    await expect(withdraw(id, inviter)).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
    const described = fixture.harness.bus.call(
      describeInvitation,
      { body: { user_id: id } },
      sessionContext(),
    );
    await expect(described).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
  });

  it('does not keep its organization from inviting the person again', async () => {
    const { inviter, email, id, session } = await invitedPerson();
    await expire(id);
    const again = await invite(email, inviter);
    expect(await listed(session)).toEqual([again.user_id]);
    expect((await eventsOf(inviter, id)).at(-1)?.name).toBe('auth.user-removed');
  });

  it('is removed by a job with the event that frees its seat; open ones and expected first owners stay', async () => {
    const { inviter, id } = await invitedPerson();
    const open = await invitedPerson();
    const { userIds } = await fixture.newAccount(
      invitedUser(fixture.addProviderUser().email, { role: 'owner', joinsAtSignIn: true }),
    );
    const first = userIds[0] as string;
    for (const each of [id, first]) await expire(each);
    const job = fixture.service.context.get(ExpireInvitations);
    await Promise.all([job.run(), job.run()]);
    expect(await statusOf(id)).toBe('removed');
    expect(await statusOf(open.id)).toBe('invited');
    expect(await statusOf(first)).toBe('invited');
    const removals = (await eventsOf(inviter, id)).filter(({ name }) => name === 'auth.user-removed');
    expect(removals).toEqual([
      {
        name: 'auth.user-removed',
        payload: {
          account_id: inviter.credential.accountId,
          user_id: id,
          actor_id: id,
          actor: { kind: 'job', id: 'expire-invitations' },
        },
      },
    ]);
  });
});
