import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountContext, type AppError, type Role } from '@vaultsvc/contracts';
import { inviteUser, listUsers, removeUser, resolveCredential, updateUser } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, parseToken } from '@vaultsvc/crypto/tokens';
import { Database, statement } from '@vaultsvc/database';
import { RedisConnection, type CredentialRecord } from '@vaultsvc/limits';
import type { RunningService } from '@vaultsvc/service';
import {
  accountContext,
  type Harness,
  internalContext,
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

const remove = (user_id: string, context: AccountContext) =>
  harness.bus.call(removeUser, { params: { user_id } }, context);
const invite = (context: AccountContext, email = address(), role: Role = 'member') =>
  harness.bus.call(inviteUser, { body: { email, name: 'Ivy Invited', role, seat: 'full' } }, context);
const usersOf = async (context: AccountContext) =>
  (await harness.bus.call(listUsers, { query: { limit: 100 } }, context)).users;
const address = () => `${newId('user_').toLowerCase()}@example.test`;
const resolve = (kind: 'api_key' | 'session', key: string) =>
  harness.bus.call(resolveCredential, { body: { kind, key } }, internalContext());

const query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
  rowsOf<Row>(service, text, values);
const rowOf = async (userId: string) =>
  (await query(`SELECT * FROM users WHERE id = $1`, [userId]))[0] as Record<string, unknown>;
const insertIdentity = (id: string, email: string, userId: string) =>
  query(
    `INSERT INTO identities (id, issuer, subject, email, email_key, user_id) VALUES ($1, 'i', $1, $2, $2, $3)`,
    [id, email, userId],
  );
const eventsOf = (userId: string) =>
  outboxEvents(
    service,
    { user_id: userId },
    { name: 'auth.user-removed', columns: ['account_id', 'request_id', 'payload'] },
  );
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

describe('OPEN-33 OPEN-57: DELETE /v1/users/{user_id}', () => {
  it('removes a user with an empty answer, and answers 404 when repeated', async () => {
    const { accountId } = await newAccount(service);
    const key = accountContext({ accountId });
    const { subject } = await mintSession(service, { accountId, role: 'member' });
    expect(await remove(subject, key)).toBeUndefined();
    await expect(remove(subject, key)).rejects.toMatchObject(UNKNOWN);
    expect(await usersOf(key)).toHaveLength(1);
  });

  it('succeeds once when twenty removals run concurrently, and records one event', async () => {
    const { accountId } = await newAccount(service);
    const key = accountContext({ accountId });
    const { subject } = await mintSession(service, { accountId, role: 'member' });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => remove(subject, key)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await eventsOf(subject)).toEqual([
      {
        account_id: accountId,
        request_id: key.requestId,
        payload: { account_id: accountId, user_id: subject, actor_id: key.credential.credentialId },
      },
    ]);
  });

  it('answers 404 for a user of another account as for an unknown one, and leaves that user unchanged', async () => {
    const { accountId } = await newAccount(service);
    const foreign = await mintSession(service, { role: 'member' });
    const key = accountContext({ accountId });
    const [foreign404, unknown404] = await Promise.all(
      [foreign.subject, newId('usr_')].map((id) => remove(id, key).catch(publicFieldsOf)),
    );
    expect(foreign404).toMatchObject(UNKNOWN);
    expect(unknown404).toEqual(foreign404);
    expect(await rowOf(foreign.subject)).toMatchObject({ status: 'active' });
    expect(await resolve('session', foreign.sessionId)).toEqual({ found: true });
  });

  it('does not wait for the sign-in of another user of the account', async () => {
    const { accountId } = await newAccount(service);
    const [removed, other] = [
      await mintSession(service, { accountId, role: 'member' }),
      await mintSession(service, { accountId, role: 'member' }),
    ];
    await insertIdentity(newId('idn_'), address(), other.subject);
    const lock = statement('test.lock-identity', `SELECT 1 FROM identities WHERE user_id = $1 FOR UPDATE`);
    await service.context.get(Database).transaction(async (signIn) => {
      await signIn.query(lock, [other.subject]);
      await remove(removed.subject, accountContext({ accountId }));
    });
    expect(await rowOf(removed.subject)).toMatchObject({ status: 'removed' });
  });

  it('withdraws an invitation', async () => {
    const { context: key } = await mintApiKey(service);
    const { user_id } = await invite(key);
    await remove(user_id, key);
    expect(await rowOf(user_id)).toMatchObject({ status: 'removed', email: '' });
  });
});

describe('OPEN-57: removing a user', () => {
  it('erases address and name from row and events, and increases the version', async () => {
    const { context: key } = await mintApiKey(service);
    const { user_id, email } = await invite(key);
    await query(`UPDATE users SET status = 'active' WHERE id = $1`, [user_id]);
    const before = await rowOf(user_id);
    await remove(user_id, key);
    const after = await rowOf(user_id);
    expect(after).toMatchObject({ status: 'removed', email: '', name: null });
    expect(Number(after['version'])).toBeGreaterThan(Number(before['version']));
    const left = JSON.stringify([after, await query(`SELECT o::text AS row FROM recorded_events o`)]);
    for (const trace of [email, email.split('@')[0] as string, 'Ivy']) expect(left).not.toContain(trace);
  });

  it('OPEN-59: frees the identity to sign up again and the address to be invited', async () => {
    const { context: key } = await mintApiKey(service);
    const { user_id, email } = await invite(key);
    const identityId = newId('idn_');
    await query(`UPDATE users SET status = 'active' WHERE id = $1`, [user_id]);
    await insertIdentity(identityId, email, user_id);
    await remove(user_id, key);
    expect(await query(`SELECT user_id FROM identities WHERE id = $1`, [identityId])).toEqual([
      { user_id: null },
    ]);
    const { context: other } = await mintApiKey(service);
    expect((await invite(other, email)).user_id).not.toBe(user_id);
  });

  it('succeeds for several users of one account', async () => {
    const { context: key } = await mintApiKey(service);
    const invited = await Promise.all(Array.from({ length: 5 }, () => invite(key)));
    await Promise.all(invited.map(({ user_id }) => remove(user_id, key)));
    expect(await usersOf(key)).toHaveLength(1);
  });

  it('keeps the API keys that the user created, which belong to the account', async () => {
    const { accountId } = await newAccount(service);
    const { subject } = await mintSession(service, { accountId, role: 'admin' });
    const { apiKey, apiKeyId } = await mintApiKey(service, { accountId });
    await query(`UPDATE api_keys SET created_by = $1 WHERE id = $2`, [subject, apiKeyId]);
    await remove(subject, accountContext({ accountId }));
    const lookup = lookupHash('apikey', parseToken('apikey', apiKey) as Buffer).toString('hex');
    expect(await resolve('api_key', lookup)).toEqual({ found: true });
  });
});

describe('AUTH-32: the sessions of a removed user', () => {
  it('have ended before the answer: their records ended, their families revoked', async () => {
    const { accountId } = await newAccount(service);
    const session = await mintSession(service, { accountId, role: 'admin' });
    await admit(session);
    expect(await recordOf(session)).toMatchObject({ status: 'active' });
    const stale = await recordOf(session);
    await remove(session.subject, accountContext({ accountId }));
    const record = await recordOf(session);
    expect(record).toMatchObject({ status: 'revoked' });
    expect(record?.version).toBeGreaterThan(stale?.version as number);
    expect(await resolve('session', session.sessionId)).toEqual({ found: false });
    const families = `SELECT 1 FROM families WHERE user_id = $1 AND revoked_at IS NULL`;
    expect(await query(families, [session.subject])).toEqual([]);
  });

  it('end while those of other users continue', async () => {
    const { accountId } = await newAccount(service);
    const [removed, other] = [
      await mintSession(service, { accountId, role: 'member' }),
      await mintSession(service, { accountId, role: 'member' }),
    ];
    await remove(removed.subject, accountContext({ accountId }));
    expect(await resolve('session', other.sessionId)).toEqual({ found: true });
  });

  it('end when a removal that failed because Redis was down is repeated', async () => {
    const { accountId } = await newAccount(service);
    const session = await mintSession(service, { accountId, role: 'member' });
    const key = accountContext({ accountId });
    await admit(session);
    redis.pause();
    await expect(remove(session.subject, key)).rejects.toMatchObject({ reason: 'INTERNAL_ERROR' });
    redis.resume();
    await until(redisAnswers);
    await expect(remove(session.subject, key)).rejects.toMatchObject(UNKNOWN);
    expect(await recordOf(session)).toMatchObject({ status: 'revoked' });
  });
});

describe('OPEN-07: the last owner', () => {
  it('cannot be removed by anyone until another owner is active', async () => {
    const { accountId, userId } = await newAccount(service);
    const self = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    await invite(self, address(), 'owner');
    await expect(remove(userId, self)).rejects.toMatchObject(LAST_OWNER);
    expect(await rowOf(userId)).toMatchObject({ status: 'active' });
    await mintSession(service, { accountId, role: 'owner' });
    expect(await remove(userId, self)).toBeUndefined();
  });

  it('OPEN-62: cannot be removed while another one is only invited or expected', async () => {
    const { accountId, userId: expected } = await newAccount(service);
    const { subject } = await mintSession(service, { accountId, role: 'owner' });
    const self = accountContext({ kind: 'session', accountId, userId: subject, role: 'owner' });
    await query(`UPDATE users SET status = 'invited', joins_at_sign_in = true WHERE id = $1`, [expected]);
    await invite(self, address(), 'owner');
    await expect(remove(subject, self)).rejects.toMatchObject(LAST_OWNER);
    expect(await remove(expected, self)).toBeUndefined();
    await expect(remove(subject, self)).rejects.toMatchObject(LAST_OWNER);
  });

  it('remains when two owners remove or demote each other concurrently, in thirty rounds', async () => {
    for (let round = 0; round < 30; round++) {
      const { accountId, userId } = await newAccount(service);
      const { subject } = await mintSession(service, { accountId, role: 'owner' });
      const as = (id: string) => accountContext({ kind: 'session', accountId, userId: id, role: 'owner' });
      const demotion = { params: { user_id: userId }, body: { role: 'member' } } as const;
      const outcomes = await Promise.allSettled([
        remove(subject, as(userId)),
        round % 2 ? remove(userId, as(subject)) : harness.bus.call(updateUser, demotion, as(subject)),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const left = (await usersOf(accountContext({ accountId }))).filter(({ role }) => role === 'owner');
      expect(left).toHaveLength(1);
    }
  });
});

describe('AUTH-34: removing a user', () => {
  it('is refused to members with 403, for themselves too', async () => {
    const { accountId, userId } = await newAccount(service);
    const { subject } = await mintSession(service, { accountId, role: 'member' });
    const member = accountContext({ kind: 'session', accountId, userId: subject, role: 'member' });
    for (const id of [userId, subject, newId('usr_')])
      await expect(remove(id, member)).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
  });
});
