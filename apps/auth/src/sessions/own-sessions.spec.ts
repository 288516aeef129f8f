import { describe, expect, it } from '@jest/globals';
import type { TokenDelivery } from '@vaultsvc/contracts';
import { listSessions, revokeSession } from '@vaultsvc/contracts/auth';
import { accountContext, outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { mintSession, type TestSession } from '@vaultsvc/tools-testing/accounts';
import { randomUUID } from 'node:crypto';
import { useSessionFixture } from '../testing/session-fixture.js';

const fixture = useSessionFixture();

const contextOf = ({ accountId, subject, sessionId }: TestSession) =>
  accountContext({
    kind: 'session',
    accountId: accountId as string,
    userId: subject,
    credentialId: sessionId,
    role: 'member',
  });
const list = (session: TestSession) => fixture.harness.bus.call(listSessions, {}, contextOf(session));
const revoke = (session: TestSession, session_id: string) =>
  fixture.harness.bus.call(revokeSession, { params: { session_id } }, contextOf(session));
/** Another session of the same user. */
const another = ({ accountId, subject: userId }: TestSession, delivery: TokenDelivery = 'body') =>
  mintSession(fixture.service, { accountId: accountId as string, userId, delivery });
const endings = (sessionId: string) =>
  outboxEvents(
    fixture.service,
    { session_id: sessionId },
    { name: 'auth.session-ended', columns: ['payload'] },
  );

describe('GET /v1/me/sessions', () => {
  it('OPEN-57: lists the live sessions of the user, newest first, and which one is of the call', async () => {
    const phone = await mintSession(fixture.service);
    await fixture.ageExpiry(phone.sessionId, '3 days');
    const browser = await another(phone, 'cookie');
    const { sessions, count } = await list(phone);
    expect(count).toBe(2);
    const now = Math.floor(Date.now() / 1_000);
    const [newest, oldest] = sessions;
    expect(newest).toEqual({
      session_id: browser.sessionId,
      created_at: expect.any(Number),
      last_used_at: newest?.created_at,
      expires_at: (newest?.created_at ?? 0) + 30 * 86_400,
      client: 'web',
      current: false,
    });
    expect(Math.abs((newest?.created_at ?? 0) - now)).toBeLessThan(600);
    expect(oldest).toMatchObject({ session_id: phone.sessionId, client: 'program', current: true });
    expect((newest?.created_at ?? 0) - (oldest?.created_at ?? 0)).toBeGreaterThanOrEqual(3 * 86_400);
  });

  it('OPEN-57 AUTH-17: shows the last refresh as the last use', async () => {
    const session = await mintSession(fixture.service);
    await fixture.ageExpiry(session.sessionId, '3 days');
    const [before] = (await list(session)).sessions;
    expect(before?.last_used_at).toBe(before?.created_at);
    await fixture.refresh(session.refreshToken);
    const [after] = (await list(session)).sessions;
    expect(after?.created_at).toBe(before?.created_at);
    expect((after?.last_used_at ?? 0) - (before?.last_used_at ?? 0)).toBeGreaterThanOrEqual(3 * 86_400);
  });

  it('OPEN-57 ENV-41: lists neither ended nor expired sessions, nor those of others', async () => {
    const session = await mintSession(fixture.service);
    const [ended, expired] = [await another(session), await another(session)];
    await fixture.logout(ended.refreshToken);
    await fixture.ageExpiry(expired.sessionId, '31 days');
    await mintSession(fixture.service, { accountId: session.accountId as string });
    expect((await list(session)).sessions.map(({ session_id }) => session_id)).toEqual([session.sessionId]);
  });

  it('AMB-17: is refused to an API key', async () => {
    const key = accountContext();
    expect(await reasonOf(fixture.harness.bus.call(listSessions, {}, key))).toBe('SESSION_REQUIRED');
    const input = { params: { session_id: randomUUID() } };
    expect(await reasonOf(fixture.harness.bus.call(revokeSession, input, key))).toBe('SESSION_REQUIRED');
  });
});

describe('DELETE /v1/me/sessions/{session_id}', () => {
  it('AUTH-26: ends the session with its access tokens and its refresh token, and no other', async () => {
    const session = await mintSession(fixture.service);
    const lost = await another(session);
    expect(await fixture.admits(lost.sessionId)).toBe(true);
    await revoke(session, lost.sessionId);
    expect(await fixture.admits(lost.sessionId)).toBe(false);
    expect(await reasonOf(fixture.refresh(lost.refreshToken))).toBe('REFRESH_TOKEN_INVALID');
    expect(await fixture.admits(session.sessionId)).toBe(true);
    expect(await reasonOf(fixture.refresh(session.refreshToken))).toBe('none');
  });

  it('AUTH-26: ends the session of the call, too', async () => {
    const session = await mintSession(fixture.service);
    await revoke(session, session.sessionId);
    expect(await fixture.admits(session.sessionId)).toBe(false);
  });

  it('AUTH-26 OPEN-28: succeeds again, and records one event for concurrent and repeated calls', async () => {
    const session = await mintSession(fixture.service);
    const lost = await another(session);
    await Promise.all(Array.from({ length: 20 }, () => revoke(session, lost.sessionId)));
    await revoke(session, lost.sessionId);
    expect(await endings(lost.sessionId)).toEqual([
      {
        payload: {
          account_id: session.accountId,
          user_id: session.subject,
          session_id: lost.sessionId,
          client_ip: '127.0.0.1',
          user_agent: null,
        },
      },
    ]);
  });

  it('AUTH-26: succeeds without an event for a session that has expired', async () => {
    const session = await mintSession(fixture.service);
    const expired = await another(session);
    await fixture.ageExpiry(expired.sessionId, '31 days');
    await revoke(session, expired.sessionId);
    expect(await endings(expired.sessionId)).toEqual([]);
  });

  it('ENV-41: answers a session of somebody else, also of the same account, like an unknown one', async () => {
    const session = await mintSession(fixture.service);
    const colleague = await mintSession(fixture.service, { accountId: session.accountId as string });
    const stranger = await mintSession(fixture.service);
    const identity = await mintSession(fixture.service, { sessionType: 'identity_only' });
    for (const { sessionId } of [colleague, stranger, identity]) {
      expect(await reasonOf(revoke(session, sessionId))).toBe('SESSION_NOT_FOUND');
      expect(await fixture.admits(sessionId)).toBe(true);
      expect(await endings(sessionId)).toEqual([]);
    }
    expect(await reasonOf(revoke(session, randomUUID()))).toBe('SESSION_NOT_FOUND');
    for (const id of ['x', '', session.sessionId.toUpperCase(), `${session.sessionId} `])
      expect(await reasonOf(revoke(session, id))).toBe('SESSION_NOT_FOUND');
  });

  it('AUTH-26: leaves no valid token when refreshes run concurrently', async () => {
    const session = await mintSession(fixture.service);
    for (let round = 0; round < 10; round++) {
      const lost = await another(session);
      const refresh = () => fixture.refresh(lost.refreshToken).catch(() => undefined);
      const [before, , after] = await Promise.all([
        Promise.all([refresh(), refresh()]),
        revoke(session, lost.sessionId),
        Promise.all([refresh(), refresh()]),
      ]);
      for (const answer of [...before, ...after])
        if (answer)
          expect(await reasonOf(fixture.refresh(answer.refresh_token))).toBe('REFRESH_TOKEN_INVALID');
      expect(await fixture.admits(lost.sessionId)).toBe(false);
    }
  });
});
