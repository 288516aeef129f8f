import { describe, expect, it } from '@jest/globals';
import { identityKey, type AccountContext } from '@vaultsvc/contracts';
import {
  describeInvitation,
  inviteUser,
  listUsers,
  removeUser,
  resendInvitation,
  type User,
} from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, internalContext, outboxEvents, reasonOf, rowsOf } from '@vaultsvc/testing/harness';
import { mintApiKey, newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, auth);

const DAY = 86_400;
const newCaller = async () => (await mintApiKey(service)).context;
const newOwner = async () => {
  const { accountId, userId } = await newAccount(service);
  return accountContext({ kind: 'session', accountId, userId, role: 'owner' });
};
const address = () => `${newId('user_').toLowerCase()}@example.test`;
const invite = (context: AccountContext, role: User['role'] = 'member', email = address()) =>
  harness.bus.call(inviteUser, { body: { email, role, seat: 'full' } }, context);
const resend = (user_id: string, context: AccountContext) =>
  harness.bus.call(resendInvitation, { params: { user_id } }, context);
const sql = (text: string, ...values: unknown[]) => rowsOf(service, text, values);
const expiryOf = async (user_id: string) =>
  (await harness.bus.call(describeInvitation, { body: { user_id } }, internalContext())).expires_at;
const invitedEvents = (userId: string) =>
  outboxEvents(service, { user_id: userId }, { name: 'auth.user-invited', columns: ['payload'] });
/** As if everything that happened to the user had happened so much earlier. */
const age = (id: string, interval: string) =>
  sql(
    `UPDATE users SET created_at = created_at - $2::interval, invitation_expires_at = invitation_expires_at - $2::interval,
       invitation_resent_at = (SELECT array_agg(at - $2::interval) FROM unnest(invitation_resent_at) at) WHERE id = $1`,
    id,
    interval,
  );

describe('OPEN-59: POST /v1/users/{user_id}/invitation/resend', () => {
  it('extends the invitation to 14 days from now, and keeps the user', async () => {
    const caller = await newCaller();
    const invited = await invite(caller);
    await age(invited.user_id, '13 days');
    const before = await expiryOf(invited.user_id);
    const answer = await resend(invited.user_id, caller);
    expect(answer).toEqual({
      user_id: invited.user_id,
      resent: true,
      sent_at: expect.any(Number),
      expires_at: answer.sent_at + 14 * DAY,
    });
    expect(answer.expires_at - before).toBeGreaterThanOrEqual(13 * DAY);
    expect(await expiryOf(invited.user_id)).toBe(answer.expires_at);
    const { users } = await harness.bus.call(listUsers, { query: { limit: 10 } }, caller);
    expect(users.map(({ user_id, status }) => [user_id, status])).toContainEqual([
      invited.user_id,
      'invited',
    ]);
  });

  it('OPEN-28: records auth.user-invited again, with the sender', async () => {
    const owner = await newOwner();
    const { user_id } = await invite(owner);
    const key = (await mintApiKey(service, { accountId: owner.credential.accountId })).context;
    await resend(user_id, key);
    const ids = { account_id: owner.credential.accountId, user_id };
    expect(await invitedEvents(user_id)).toEqual([
      { payload: { ...ids, actor_id: owner.credential.userId } },
      { payload: { ...ids, actor_id: key.credential.credentialId, resent: true } },
    ]);
  });

  it('answers 409 for a person who has joined, and for the expected owner of a first account', async () => {
    const owner = await newOwner();
    const { userId } = owner.credential;
    await expect(resend(userId as string, owner)).rejects.toMatchObject({
      code: 'CONFLICT',
      reason: 'INVITATION_NOT_OPEN',
    });
    const first = await newCaller();
    const [expected] = (await harness.bus.call(listUsers, { query: { limit: 1 } }, first)).users;
    await sql(
      `UPDATE users SET status = 'invited', joins_at_sign_in = true WHERE id = $1`,
      expected?.user_id,
    );
    expect(await reasonOf(resend(expected?.user_id as string, first))).toBe('INVITATION_NOT_OPEN');
  });

  it('ENV-41: answers 404 for a withdrawn, expired, foreign and unknown invitation, without an event', async () => {
    const [caller, stranger] = [await newCaller(), await newCaller()];
    const [withdrawn, expired, foreign] = [
      await invite(caller),
      await invite(caller),
      await invite(stranger),
    ];
    await harness.bus.call(removeUser, { params: { user_id: withdrawn.user_id } }, caller);
    await age(expired.user_id, '14 days');
    for (const { user_id } of [withdrawn, expired, foreign]) {
      await expect(resend(user_id, caller)).rejects.toMatchObject({ status: 404, reason: 'USER_NOT_FOUND' });
      expect(await invitedEvents(user_id)).toHaveLength(1);
    }
    expect(await reasonOf(resend(newId('usr_'), caller))).toBe('USER_NOT_FOUND');
  });

  it('AUTH-34: refuses a member; only an owner in a session sends the invitation of an owner', async () => {
    const owner = await newOwner();
    const { accountId } = owner.credential;
    const { user_id } = await invite(owner, 'owner');
    const member = accountContext({ ...owner.credential, role: 'member' });
    expect(await reasonOf(resend(user_id, member))).toBe('ROLE_REQUIRED');
    const key = (await mintApiKey(service, { accountId })).context;
    expect(await reasonOf(resend(user_id, key))).toBe('OWNER_SESSION_REQUIRED');
    expect(await reasonOf(resend(user_id, owner))).toBe('none');
  });

  it('refuses an address that belongs to a user, or to the claimed domain of another account, by now', async () => {
    const caller = await newCaller();
    const registered = await invite(caller);
    const { userId } = await newAccount(service);
    await sql(
      `UPDATE users SET email = $2, email_key = $3 WHERE id = $1`,
      userId,
      registered.email,
      identityKey(registered.email),
    );
    expect(await reasonOf(resend(registered.user_id, caller))).toBe('EMAIL_TAKEN');
    const domain = `${newId('d_').slice(2).toLowerCase()}.test`;
    const claimed = await invite(caller, 'member', `ann@${domain}`);
    const claimant = await newAccount(service);
    await sql(`INSERT INTO domains (domain, account_id) VALUES ($1, $2)`, domain, claimant.accountId);
    expect(await reasonOf(resend(claimed.user_id, caller))).toBe('DOMAIN_CLAIMED');
    for (const { user_id } of [registered, claimed]) expect(await invitedEvents(user_id)).toHaveLength(1);
  });
});

describe('OPEN-59: the limits of invitations that are sent again', () => {
  it('admit five within an hour for each person, also of twenty concurrent calls', async () => {
    const caller = await newCaller();
    const { user_id } = await invite(caller);
    const reasons = await Promise.all(Array.from({ length: 20 }, () => reasonOf(resend(user_id, caller))));
    expect(reasons.toSorted()).toEqual([
      ...Array<string>(15).fill('INVITATIONS_EXHAUSTED'),
      ...Array<string>(5).fill('none'),
    ]);
    expect(await invitedEvents(user_id)).toHaveLength(6);
    await age(user_id, '61 minutes');
    expect(await reasonOf(resend(user_id, caller))).toBe('none');
  });

  it('count them among the invitations of the account within an hour', async () => {
    const caller = await newCaller();
    const invited = await invite(caller);
    const removed = `INSERT INTO users (id, account_id, email, email_key, role, seat, status, created_at, invitation_resent_at)
      SELECT 'usr_' || md5(random()::text), $1, '', md5(random()::text), 'member', 'full', 'removed',
             now() - interval '61 minutes', ARRAY[now() - interval '61 minutes', now() - interval '59 minutes']
        FROM generate_series(1, $2::integer)`;
    // With the owner and the invited person these are 199 of 200.
    await sql(removed, caller.credential.accountId, 197);
    expect(await reasonOf(resend(invited.user_id, caller))).toBe('none');
    expect(await reasonOf(resend(invited.user_id, caller))).toBe('INVITATIONS_EXHAUSTED');
    expect(await reasonOf(invite(caller))).toBe('INVITATIONS_EXHAUSTED');
  });
});
