import { describe, expect, it } from '@jest/globals';
import { type AccountContext, type Role } from '@vaultsvc/contracts';
import { describeInvitation, inviteUser, removeUser, updateProfile } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, internalContext, rowsOf } from '@vaultsvc/testing/harness';
import { mintSession, newAccount, type TestSession } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'error' });
const service = useService(harness, auth);

const asUser = (accountId: string, userId: string, role: Role = 'owner') =>
  accountContext({ kind: 'session', accountId, userId, role });
const asSessionUser = ({ accountId, subject }: TestSession, role: Role = 'owner') =>
  asUser(accountId as string, subject, role);
const rename = (name: string, context: AccountContext) =>
  harness.bus.call(updateProfile, { body: { name } }, context);
const invite = (email: string, context: AccountContext) =>
  harness.bus.call(inviteUser, { body: { email, role: 'member', seat: 'full' } }, context);
const remove = (user_id: string, context: AccountContext) =>
  harness.bus.call(removeUser, { params: { user_id } }, context);
const describeInvitationOf = (user_id: string) =>
  harness.bus.call(describeInvitation, { body: { user_id } }, internalContext());
const address = () => `${newId('user_').toLowerCase()}@example.test`;

describe('OPEN-57: describing an invitation', () => {
  it('returns the address, the organization and the inviting user', async () => {
    const { accountId, userId, email: inviter } = await newAccount(service);
    const owner = asUser(accountId, userId);
    await rename('Ann Ørsted', owner);
    const email = address();
    const { user_id, created_at } = await invite(email, owner);
    expect(await describeInvitationOf(user_id)).toEqual({
      email,
      organization_name: 'Test organization',
      invited_by: 'Ann Ørsted',
      invited_by_email: inviter,
      expires_at: created_at + 14 * 86_400,
    });
  });

  it('returns no inviter for an API key, and the address of an inviter without a name', async () => {
    const { accountId, userId, email } = await newAccount(service);
    const byKey = await invite(address(), accountContext({ accountId }));
    expect(await describeInvitationOf(byKey.user_id)).toMatchObject({
      invited_by: null,
      invited_by_email: null,
    });
    const byUser = await invite(address(), asUser(accountId, userId));
    expect(await describeInvitationOf(byUser.user_id)).toMatchObject({
      invited_by: null,
      invited_by_email: email,
    });
  });

  it('omits an inviter removed since', async () => {
    const { accountId } = await newAccount(service);
    const admin = await mintSession(service, { accountId, role: 'admin' });
    const { user_id } = await invite(address(), asSessionUser(admin, 'admin'));
    await remove(admin.subject, accountContext({ accountId }));
    expect(await describeInvitationOf(user_id)).toMatchObject({ invited_by: null, invited_by_email: null });
  });

  it('answers 404 unless the invitation is open: for active, removed and unknown users, and after its expiry', async () => {
    const { accountId, userId } = await newAccount(service);
    const key = accountContext({ accountId });
    const { user_id: withdrawn } = await invite(address(), key);
    await remove(withdrawn, key);
    const { user_id: expired } = await invite(address(), key);
    await rowsOf(service, `UPDATE users SET invitation_expires_at = now() WHERE id = $1`, [expired]);
    const ids = [userId, withdrawn, expired, newId('usr_')];
    const answers = await Promise.allSettled(ids.map(describeInvitationOf));
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: { reason: 'USER_NOT_FOUND' } });
  });
});
