import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decode, type AccountContext, type AppError, type Role, type Seat } from '@vaultsvc/contracts';
import { inviteUser, listUsers, removeUser, updateUser, UserChange } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { RedisConnection, type CredentialRecord } from '@vaultsvc/limits';
import type { RunningService } from '@vaultsvc/service';
import {
  accountContext,
  type Harness,
  lockWaiters,
  outboxEvents,
  rowsOf,
  startHarness,
} from '@vaultsvc/testing/harness';
import { startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { until } from '@vaultsvc/testing/waiting';
import { mintApiKey, mintSession, newAccount, type TestSession } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { SessionRecordWriter } from '../sessions/session-record-writer.js';

let harness: Harness;
let redis: TestServer;
let service: RunningService;

beforeAll(async () => {
  redis = await startRedis();
  harness = await startHarness({ LOG_LEVEL: 'silent', REDIS_URL: redis.url, REDIS_ANSWER_MS: '1000' });
  service = await harness.start(auth);
});
afterAll(async () => {
  await harness.stop();
  await redis.stop();
});

const change = (user_id: string, body: UserChange, context: AccountContext) =>
  harness.bus.call(updateUser, { params: { user_id }, body }, context);
const invite = (context: AccountContext, role: Role = 'member') =>
  harness.bus.call(
    inviteUser,
    { body: { email: `${newId('user_')}@example.test`, role, seat: 'full' } },
    context,
  );
const usersOf = async (context: AccountContext) =>
  (await harness.bus.call(listUsers, { query: { limit: 100 } }, context)).users;
const owners = async (context: AccountContext) =>
  (await usersOf(context)).filter(({ role, status }) => role === 'owner' && status === 'active');

const query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
  rowsOf<Row>(service, text, values);
const eventsOf = (userId: string) =>
  outboxEvents(service, { user_id: userId }, { name: 'auth.user-changed', columns: ['payload'] });
/** Makes a user the expected owner of a first account. */
const expectSignIn = (userId: string) =>
  query(`UPDATE users SET status = 'invited', joins_at_sign_in = true WHERE id = $1`, [userId]);
/** An account whose first owner is expected to sign in, while a second one is active. */
async function expectingOwner() {
  const { accountId, userId } = await newAccount(service);
  await expectSignIn(userId);
  const { subject: second } = await mintSession(service, { accountId, role: 'owner' });
  return { accountId, userId, second };
}
const versionOf = async (userId: string) =>
  (await query<{ version: number }>(`SELECT version FROM users WHERE id = $1`, [userId]))[0]?.version;

/** The cached record that admits requests of this session. */
const recordOf = async ({ sessionId }: TestSession) => {
  const text = (await service.context.get(RedisConnection).command(['GET', `cred:s:${sessionId}`])) as
    | string
    | null;
  return text === null ? null : (JSON.parse(text) as CredentialRecord);
};
const redisAnswers = async () => {
  await service.context.get(RedisConnection).ping();
  return true;
};
const admit = (session: TestSession) => service.context.get(SessionRecordWriter).renew([session.sessionId]);

/** The parts of an error that its caller receives. */
const publicFieldsOf = ({ code, reason, message, details }: AppError) => ({ code, reason, message, details });
const LAST_OWNER = { code: 'CONFLICT', reason: 'LAST_OWNER' };
const UNKNOWN = { code: 'NOT_FOUND', reason: 'USER_NOT_FOUND' };

describe('OPEN-33 OPEN-57 OPEN-07: PATCH /v1/users/{user_id}', () => {
  it('changes the given fields only, of active and of invited users', async () => {
    const { accountId, userId } = await newAccount(service);
    const key = accountContext({ accountId });
    const { subject } = await mintSession(service, { accountId, role: 'member' });
    expect(await change(subject, { seat: 'viewer' }, key)).toMatchObject({ role: 'member', seat: 'viewer' });
    expect(await change(subject, { role: 'admin' }, key)).toMatchObject({ role: 'admin', seat: 'viewer' });
    expect(await change(subject, { name: 'Zoe\u0308' }, key)).toMatchObject({
      role: 'admin',
      name: 'Zo\u00eb',
    });
    const { user_id } = await invite(key);
    const owner = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    const changed = await change(user_id, { role: 'owner', seat: 'viewer', name: '山田' }, owner);
    expect(changed).toMatchObject({ role: 'owner', seat: 'viewer', name: '山田', status: 'invited' });
    expect(await usersOf(key)).toContainEqual(changed);
  });

  it('rejects a body without any field', async () => {
    const { accountId, userId } = await newAccount(service);
    await expect(change(userId, {}, accountContext({ accountId }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it.each([
    { role: 'root' },
    { role: null },
    { role: 'Owner' },
    { seat: '' },
    { seat: null },
    { name: null },
    { name: ' ' },
    { name: 'x'.repeat(256) },
  ])('rejects %j', (raw) => {
    expect(() => decode(UserChange, raw)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('answers 404 alike for users of other accounts, unknown users and removed users', async () => {
    const [own, foreign] = [await newAccount(service), await newAccount(service)];
    const key = accountContext({ accountId: own.accountId });
    const { user_id: removed } = await invite(key);
    await harness.bus.call(removeUser, { params: { user_id: removed } }, key);
    const answers = await Promise.all(
      [foreign.userId, newId('usr_'), removed].map((id) =>
        change(id, { role: 'member' }, key).catch(publicFieldsOf),
      ),
    );
    expect(answers[0]).toMatchObject(UNKNOWN);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect((await owners(accountContext({ accountId: foreign.accountId }))).length).toBe(1);
  });

  it('records one event per effective change, a new name included, with ids and without the name', async () => {
    const { accountId, userId } = await newAccount(service);
    const key = accountContext({ accountId });
    const { subject } = await mintSession(service, { accountId, role: 'member' });
    const owner = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    await change(subject, { role: 'admin', name: 'Private' }, owner);
    await change(subject, { role: 'admin' }, key);
    await change(subject, { name: 'Else' }, key);
    const changed = { account_id: accountId, user_id: subject, role: 'admin', seat: 'full' };
    expect(await eventsOf(subject)).toEqual([
      { payload: { ...changed, previous_role: 'member', actor_id: userId } },
      { payload: { ...changed, actor_id: key.credential.credentialId } },
    ]);
    expect(await versionOf(subject)).toBe(2);
  });
});

describe('AUTH-34 OPEN-07: changing a user', () => {
  it('is refused to members with 403, even if the gateway admits them', async () => {
    const { accountId, userId } = await newAccount(service);
    const member = accountContext({ kind: 'session', accountId, userId, role: 'member' });
    const refusal = { code: 'FORBIDDEN', reason: 'ROLE_REQUIRED' };
    await expect(change(userId, { role: 'owner' }, member)).rejects.toMatchObject(refusal);
    await expect(change(newId('usr_'), { name: 'x' }, member)).rejects.toMatchObject(refusal);
  });

  it.each(['owner', 'admin'] as const)('is allowed to an %s', async (role) => {
    const { accountId } = await newAccount(service);
    const { subject } = await mintSession(service, { accountId, role: 'admin' });
    const caller = accountContext({ kind: 'session', accountId, userId: newId('usr_'), role });
    expect(await change(subject, { role: 'member' }, caller)).toMatchObject({ role: 'member' });
  });

  it('OPEN-59: is allowed to an owner for owners, too', async () => {
    const { accountId, userId } = await newAccount(service);
    const { subject } = await mintSession(service, { accountId, role: 'owner' });
    const caller = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    expect(await change(subject, { role: 'member' }, caller)).toMatchObject({ role: 'member' });
    expect(await change(subject, { role: 'owner' }, caller)).toMatchObject({ role: 'owner' });
  });

  it('AMB-17: is allowed to an API key', async () => {
    const { context, accountId } = await mintApiKey(service);
    const { subject } = await mintSession(service, { accountId, role: 'member' });
    expect(await change(subject, { role: 'admin' }, context)).toMatchObject({ role: 'admin' });
  });
});

describe('AUTH-34: the session records of a changed user', () => {
  it.each([
    [{ role: 'member' }, { role: 'member', seat: 'full' }],
    [{ seat: 'viewer' }, { role: 'admin', seat: 'viewer' }],
  ] as [UserChange, { role: Role; seat: Seat }][])('contain %j before the answer', async (body, expected) => {
    const { accountId } = await newAccount(service);
    const session = await mintSession(service, { accountId, role: 'admin' });
    await admit(session);
    expect(await recordOf(session)).toMatchObject({ status: 'active', role: 'admin', seat: 'full' });
    await change(session.subject, body, accountContext({ accountId }));
    expect(await recordOf(session)).toMatchObject({ status: 'active', ...expected });
  });

  it('have a newer version than records read before the change', async () => {
    const { accountId } = await newAccount(service);
    const session = await mintSession(service, { accountId, role: 'admin' });
    await admit(session);
    const stale = await recordOf(session);
    await change(session.subject, { role: 'member' }, accountContext({ accountId }));
    expect((await recordOf(session))?.version).toBeGreaterThan(stale?.version as number);
  });

  it('are updated when a change that failed because Redis was down is repeated', async () => {
    const { accountId } = await newAccount(service);
    const session = await mintSession(service, { accountId, role: 'admin' });
    const key = accountContext({ accountId });
    await admit(session);
    redis.pause();
    await expect(change(session.subject, { role: 'member' }, key)).rejects.toMatchObject({
      reason: 'INTERNAL_ERROR',
    });
    redis.resume();
    await until(redisAnswers);
    await change(session.subject, { role: 'member' }, key);
    expect(await recordOf(session)).toMatchObject({ role: 'member' });
  });
});

describe('OPEN-07: the last owner', () => {
  it('cannot be demoted until another owner is active', async () => {
    const { accountId, userId } = await newAccount(service);
    const self = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    await expect(change(userId, { role: 'admin' }, self)).rejects.toMatchObject(LAST_OWNER);
    expect(await change(userId, { role: 'owner', seat: 'viewer' }, self)).toMatchObject({ seat: 'viewer' });
    await mintSession(service, { accountId, role: 'owner' });
    expect(await change(userId, { role: 'admin' }, self)).toMatchObject({ role: 'admin' });
  });

  it('cannot be demoted while the other owner is only invited', async () => {
    const { accountId, userId } = await newAccount(service);
    const self = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    const { user_id } = await invite(self, 'owner');
    await expect(change(userId, { role: 'member' }, self)).rejects.toMatchObject(LAST_OWNER);
    expect(await change(user_id, { role: 'member' }, self)).toMatchObject({ role: 'member' });
  });

  it('OPEN-62: is the expected owner of a first account until another owner has accepted', async () => {
    const { accountId, userId, second } = await expectingOwner();
    const as = accountContext({ kind: 'session', accountId, userId: second, role: 'owner' });
    await expect(change(second, { role: 'member' }, as)).rejects.toMatchObject(LAST_OWNER);
    expect(await change(userId, { role: 'member' }, as)).toMatchObject({ role: 'member' });
    await expect(change(second, { role: 'member' }, as)).rejects.toMatchObject(LAST_OWNER);
  });

  it('may leave once the expected owner has signed in, also while the demotion waits', async () => {
    const { accountId, userId, second } = await expectingOwner();
    const as = accountContext({ kind: 'session', accountId, userId: second, role: 'owner' });
    const demotion = await service.context.get(Database).transaction(async (signIn) => {
      const join = statement('test.join', `UPDATE users SET status = 'active' WHERE id = $1`);
      await signIn.query(join, [userId]);
      const outcome = Promise.allSettled([change(second, { role: 'member' }, as)]);
      await until(async () => (await lockWaiters(service)) > 0);
      return { outcome };
    });
    expect(await demotion.outcome).toMatchObject([{ status: 'fulfilled', value: { role: 'member' } }]);
    expect((await owners(as)).map(({ user_id }) => user_id)).toEqual([userId]);
  });

  it('remains when two owners demote each other concurrently, in thirty rounds', async () => {
    for (let round = 0; round < 30; round++) {
      const { accountId, userId } = await newAccount(service);
      const { subject } = await mintSession(service, { accountId, role: 'owner' });
      const as = (id: string) => accountContext({ kind: 'session', accountId, userId: id, role: 'owner' });
      const outcomes = await Promise.allSettled([
        change(subject, { role: 'member' }, as(userId)),
        change(userId, { role: 'member' }, as(subject)),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await owners(accountContext({ accountId }))).toHaveLength(1);
    }
  });
});
