import { describe, expect, it } from '@jest/globals';
import { decode, decodeQuery, type AccountContext, type Role } from '@vaultsvc/contracts';
import {
  inviteUser,
  listUsers,
  ProfileChange,
  readMe,
  readProfile,
  removeUser,
  updateProfile,
  UserQuery,
  type User,
} from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { mintApiKey, mintSession, newAccount, type TestSession } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'error' });
const service = useService(harness, auth);

const asUser = (accountId: string, userId: string, role: Role = 'owner') =>
  accountContext({ kind: 'session', accountId, userId, role });
const asSessionUser = ({ accountId, subject }: TestSession, role: Role = 'owner') =>
  asUser(accountId as string, subject, role);

const me = (context: AccountContext) => harness.bus.call(readMe, {}, context);
const profile = (context: AccountContext) => harness.bus.call(readProfile, {}, context);
const rename = (name: string, context: AccountContext) =>
  harness.bus.call(updateProfile, { body: { name } }, context);
const list = (context: AccountContext, query: Partial<UserQuery> = {}) =>
  harness.bus.call(listUsers, { query: { limit: 50, ...query } }, context);
const invite = (email: string, context: AccountContext, name?: string) =>
  harness.bus.call(inviteUser, { body: { email, name, role: 'member', seat: 'full' } }, context);
const remove = (user_id: string, context: AccountContext) =>
  harness.bus.call(removeUser, { params: { user_id } }, context);
const address = () => `${newId('user_').toLowerCase()}@example.test`;

describe('OPEN-33 OPEN-57 OPEN-07: GET /v1/me', () => {
  it('answers a session with its user, its account, and the role and seat that admitted it', async () => {
    const { accountId, userId, email } = await newAccount(service);
    const viewer = accountContext({ kind: 'session', accountId, userId, role: 'admin', seat: 'viewer' });
    expect(await me(viewer)).toEqual({
      user: { user_id: userId, email, name: email.split('@')[0], role: 'admin' },
      account: { account_id: accountId, organization_name: 'Test organization', status: 'active' },
      role: 'admin',
      seat: 'viewer',
      credential: 'session',
    });
  });

  it('AMB-17: answers an API key with no user and the role admin', async () => {
    const { context, accountId } = await mintApiKey(service);
    expect(await me(context)).toEqual({
      user: null,
      account: { account_id: accountId, organization_name: 'Test organization', status: 'active' },
      role: 'admin',
      seat: 'full',
      credential: 'api_key',
    });
  });

  it('refuses a call that was admitted before its user was removed', async () => {
    const { accountId } = await newAccount(service);
    const session = await mintSession(service, { accountId, role: 'member' });
    const caller = asSessionUser(session, 'member');
    await remove(session.subject, accountContext({ accountId }));
    for (const call of [me, profile, (context: AccountContext) => rename('Ghost', context)])
      await expect(call(caller)).rejects.toMatchObject({ reason: 'AUTHENTICATION_ERROR' });
  });
});

describe('OPEN-33: GET and PATCH /v1/profile', () => {
  it('read and rename the user of the session, in any script, normalized to NFC', async () => {
    const { accountId, userId, email } = await newAccount(service);
    const caller = asUser(accountId, userId, 'member');
    expect(await profile(caller)).toEqual({
      user_id: userId,
      email,
      name: null,
      role: 'owner',
      seat: 'full',
      status: 'active',
      created_at: expect.any(Number),
    });
    for (const name of ['Zoë', '山田 太郎', 'محمد', 'O’Connor 👩‍🚀', 'x'.repeat(255), '😀'.repeat(255)])
      expect((await rename(name, caller)).name).toBe(name);
    expect((await rename('Zoe\u0308', caller)).name).toBe('Zo\u00eb');
    expect((await profile(caller)).name).toBe('Zoë');
    expect((await me(caller)).user?.name).toBe('Zoë');
  });

  it.each([undefined, null, '', ' \t', 5, 'x'.repeat(256), 'a\nb', '\u202eAnn', '\ud800'])(
    'reject the name %j',
    (name) => {
      expect(() => decode(ProfileChange, { name })).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR' }),
      );
    },
  );

  it('AMB-19: refuse an API key with SESSION_REQUIRED', async () => {
    const { context } = await mintApiKey(service);
    const refusal = { code: 'FORBIDDEN', reason: 'SESSION_REQUIRED' };
    await expect(profile(context)).rejects.toMatchObject(refusal);
    await expect(rename('Key', context)).rejects.toMatchObject(refusal);
  });
});

describe('OPEN-33 OPEN-57: GET /v1/users', () => {
  it('lists every user once, oldest first, across pages, also users created at one instant', async () => {
    const { accountId, userId } = await newAccount(service);
    const key = accountContext({ accountId });
    const invited: string[] = [];
    for (let i = 0; i < 9; i++) invited.push((await invite(address(), key)).user_id);
    await setOneCreationTime(invited.slice(2, 7));
    const users = (await list(key)).users;
    expect(users).toHaveLength(10);
    expect(users[0]).toMatchObject({ user_id: userId, status: 'active' });
    expect(users[1]).toMatchObject({ user_id: invited[0], status: 'invited' });
    for (const limit of [1, 3, 9, 10]) expect(await listAllPages(key, limit)).toEqual(users);
  });

  it('answers the count of the page and whether more follow', async () => {
    const { accountId } = await newAccount(service);
    const key = accountContext({ accountId });
    await invite(address(), key);
    expect(await list(key, { limit: 2 })).toEqual({ users: expect.any(Array), count: 2, has_more: false });
    expect(await list(key, { limit: 1 })).toMatchObject({
      count: 1,
      has_more: true,
      next_cursor: expect.any(String),
    });
  });

  it('omits removed users and users of other accounts', async () => {
    const { accountId, userId } = await newAccount(service);
    await newAccount(service);
    const key = accountContext({ accountId });
    const { user_id: removed } = await invite(address(), key);
    const { user_id: kept } = await invite(address(), key);
    await remove(removed, key);
    expect((await list(key)).users.map(({ user_id }) => user_id)).toEqual([userId, kept]);
  });

  it('is open to every role', async () => {
    const { accountId, userId } = await newAccount(service);
    expect(await list(asUser(accountId, userId, 'member'))).toMatchObject({ count: 1 });
  });

  it('accepts a limit of 1 to 100, defaults to 50, and rejects an invalid cursor', async () => {
    expect(decodeQuery(UserQuery, new URLSearchParams())).toEqual({ limit: 50 });
    for (const limit of ['0', '101', '1.5', '-1', 'x'])
      expect(() => decodeQuery(UserQuery, new URLSearchParams({ limit }))).toThrow();
    const { context } = await mintApiKey(service);
    for (const cursor of ['', 'x', '[]', '["a"]', '[1,2]', '{}'])
      await expect(list(context, { cursor })).rejects.toMatchObject({ reason: 'CURSOR_INVALID' });
  });
});

async function listAllPages(context: AccountContext, limit: number): Promise<User[]> {
  const users: User[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(context, { limit, ...(cursor !== undefined && { cursor }) });
    users.push(...page.users);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return users;
}

async function setOneCreationTime(ids: readonly string[]): Promise<void> {
  const text = `UPDATE users SET created_at = (SELECT min(created_at) FROM users WHERE id = ANY($1)) WHERE id = ANY($1)`;
  await service.context.get(Database).query(statement('test.one-instant', text), [ids]);
}
