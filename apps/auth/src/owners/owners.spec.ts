import { describe, expect, it } from '@jest/globals';
import { type AccountContext, type Role } from '@vaultsvc/contracts';
import {
  describeOwnerNotice,
  inviteUser,
  listUsers,
  removeUser,
  updateUser,
  type OwnerNotice,
  type UserChange,
} from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, internalContext, outboxEvents, rowsOf } from '@vaultsvc/testing/harness';
import { mintSession, newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { DeleteOwnerNotices } from './delete-owner-notices.job.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, auth);

const REFUSED = { code: 'FORBIDDEN', reason: 'OWNER_SESSION_REQUIRED', status: 403 };
const address = () => `${newId('user_').toLowerCase()}@example.test`;
const as = (accountId: string, userId: string, role: Role) =>
  accountContext({ kind: 'session', accountId, userId, role });
const invite = (role: Role, context: AccountContext, email = address()) =>
  harness.bus.call(inviteUser, { body: { email, role, seat: 'full' } }, context);
const change = (user_id: string, body: UserChange, context: AccountContext) =>
  harness.bus.call(updateUser, { params: { user_id }, body }, context);
const remove = (user_id: string, context: AccountContext) =>
  harness.bus.call(removeUser, { params: { user_id } }, context);
const emailOf = async (userId: string) =>
  (await rowsOf<{ email: string }>(service, `SELECT email FROM users WHERE id = $1`, [userId]))[0]
    ?.email as string;

/** An account with two owners, an admin, a member, and everybody who may manage people but is no owner. */
async function organization() {
  const { accountId, userId, email } = await newAccount(service);
  const second = await mintSession(service, { accountId, role: 'owner' });
  const admin = await mintSession(service, { accountId, role: 'admin' });
  const member = await mintSession(service, { accountId, role: 'member' });
  const others = [as(accountId, admin.subject, 'admin'), accountContext({ accountId })];
  return {
    accountId,
    owner: as(accountId, userId, 'owner'),
    first: { id: userId, email },
    second: { id: second.subject, email: await emailOf(second.subject) },
    member: { id: member.subject, email: await emailOf(member.subject) },
    others,
  };
}

/** The mails that the events of an account announce, in the order of their recipients. */
async function mailsOf(accountId: string): Promise<OwnerNotice[]> {
  const events = await outboxEvents(
    service,
    { account_id: accountId },
    { name: 'auth.owners-changed', columns: ['payload'] },
  );
  const notices = events.map(({ payload }) =>
    harness.bus.call(
      describeOwnerNotice,
      { body: { notice_id: payload['notice_id'] as string } },
      internalContext(),
    ),
  );
  return (await Promise.all(notices)).sort((a, b) => (a.email < b.email ? -1 : 1));
}

const rolesOf = async (context: AccountContext) =>
  Object.fromEntries(
    (await harness.bus.call(listUsers, { query: { limit: 100 } }, context)).users.map(
      ({ user_id, role, seat, name }) => [user_id, [role, seat, name]],
    ),
  );

describe('OPEN-59: the role owner, for an admin and an API key', () => {
  it('cannot be granted, by an invitation or a change: 403', async () => {
    const { owner, member, others } = await organization();
    const { user_id } = await invite('member', owner);
    const before = await rolesOf(owner);
    for (const caller of others) {
      await expect(invite('owner', caller)).rejects.toMatchObject(REFUSED);
      await expect(change(member.id, { role: 'owner' }, caller)).rejects.toMatchObject(REFUSED);
      await expect(change(user_id, { role: 'owner' }, caller)).rejects.toMatchObject(REFUSED);
    }
    expect(await rolesOf(owner)).toEqual(before);
  });

  it.each<UserChange>([{ role: 'member' }, { role: 'owner' }, { seat: 'viewer' }, { name: 'Eve' }])(
    'keeps them from changing an owner, or one who is invited: %j is 403',
    async (body) => {
      const { owner, first, others } = await organization();
      const { user_id } = await invite('owner', owner);
      const before = await rolesOf(owner);
      for (const caller of others)
        for (const id of [first.id, user_id])
          await expect(change(id, body, caller)).rejects.toMatchObject(REFUSED);
      expect(await rolesOf(owner)).toEqual(before);
    },
  );

  it('keeps them from removing an owner and from withdrawing the invitation of one: 403', async () => {
    const { owner, second, others } = await organization();
    const { user_id } = await invite('owner', owner);
    const before = await rolesOf(owner);
    for (const caller of others)
      for (const id of [second.id, user_id]) await expect(remove(id, caller)).rejects.toMatchObject(REFUSED);
    expect(await rolesOf(owner)).toEqual(before);
  });

  it('cannot be granted by an owner whose demotion a call in flight has not noticed: 403', async () => {
    const { accountId, owner, first, second, member } = await organization();
    await change(first.id, { role: 'admin' }, as(accountId, second.id, 'owner'));
    await expect(change(member.id, { role: 'owner' }, owner)).rejects.toMatchObject(REFUSED);
    await expect(invite('owner', owner)).rejects.toMatchObject(REFUSED);
    await expect(remove(second.id, owner)).rejects.toMatchObject(REFUSED);
  });

  it('leaves everybody else to them', async () => {
    const { member, others } = await organization();
    for (const caller of others) {
      const { user_id } = await invite('admin', caller);
      expect(await change(user_id, { role: 'member', seat: 'viewer' }, caller)).toMatchObject({
        role: 'member',
      });
      await remove(user_id, caller);
      expect(await change(member.id, { role: 'admin' }, caller)).toMatchObject({ role: 'admin' });
    }
  });
});

describe('OPEN-59: all owners get a mail', () => {
  it('about an invitation as owner, and about its withdrawal', async () => {
    const { accountId, owner, first, second } = await organization();
    const { user_id, email } = await invite('owner', owner);
    await remove(user_id, owner);
    const mail = { organization_name: 'Test organization', person_email: email, actor_email: first.email };
    const mails = await mailsOf(accountId);
    expect(mails).toHaveLength(4);
    for (const each of [first, second])
      for (const did of ['invited', 'withdrawn'])
        expect(mails).toContainEqual({ ...mail, email: each.email, change: did });
  });

  it('about somebody who is made an owner, who gets it, too', async () => {
    const { accountId, owner, first, second, member } = await organization();
    await change(member.id, { role: 'owner' }, owner);
    const mails = await mailsOf(accountId);
    expect(mails.map(({ email }) => email)).toEqual([first.email, second.email, member.email].sort());
    for (const mail of mails)
      expect(mail).toMatchObject({
        change: 'granted',
        person_email: member.email,
        actor_email: first.email,
      });
  });

  it.each(['revoked', 'removed'] as const)(
    'about an owner whose role is %s, who gets it, too',
    async (did) => {
      const { accountId, owner, first, second } = await organization();
      await (did === 'revoked' ? change(second.id, { role: 'member' }, owner) : remove(second.id, owner));
      const mails = await mailsOf(accountId);
      expect(mails.map(({ email }) => email)).toEqual([first.email, second.email].sort());
      for (const mail of mails)
        expect(mail).toMatchObject({ change: did, person_email: second.email, actor_email: first.email });
    },
  );

  it('about nobody else, and not about another change of an owner', async () => {
    const { accountId, owner, second, member } = await organization();
    await change(second.id, { role: 'owner', seat: 'viewer', name: 'Zoe' }, owner);
    await change(member.id, { role: 'admin' }, owner);
    const { user_id } = await invite('admin', owner);
    await remove(user_id, owner);
    await remove(member.id, owner);
    expect(await mailsOf(accountId)).toEqual([]);
  });

  it('whose content is deleted after three days', async () => {
    const { accountId, owner, member } = await organization();
    await change(member.id, { role: 'owner' }, owner);
    const age = (text: string) =>
      rowsOf(
        service,
        `UPDATE owner_notices SET created_at = now() - interval '${text}' WHERE account_id = $1`,
        [accountId],
      );
    await age('71 hours');
    await service.context.get(DeleteOwnerNotices).run();
    expect(await mailsOf(accountId)).toHaveLength(3);
    await age('73 hours');
    await service.context.get(DeleteOwnerNotices).run();
    await expect(mailsOf(accountId)).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
  });
});
