import { describe, expect, it } from '@jest/globals';
import { outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { mintSession, type SessionOptions } from '@vaultsvc/tools-testing/accounts';
import { useSessionFixture } from '../testing/session-fixture.js';

const fixture = useSessionFixture();

const mint = (options?: SessionOptions) => mintSession(fixture.service, options);
const eventsOf = async (sessionId: string) => {
  const columns = ['name', 'account_id', 'payload'] as const;
  const events = await outboxEvents(fixture.service, { session_id: sessionId }, { columns });
  return events.filter(({ name }) => name !== 'auth.session-opened');
};

describe('POST /v1/auth/logout', () => {
  const deliveries = ['body', 'cookie'] as const;
  const pairs = deliveries.flatMap((opened) => deliveries.map((ended) => ({ opened, ended })));

  it.each(pairs)(
    'AUTH-25 AUTH-26 OPEN-09: ends a session with $opened delivery by a token in the $ended, and its access tokens',
    async ({ opened, ended }) => {
      const session = await mint({ delivery: opened });
      const { refresh_token: newest } = await fixture.refresh(session.refreshToken, opened);
      expect(await fixture.admits(session.sessionId)).toBe(true);
      await fixture.logout(newest, ended);
      expect(await fixture.admits(session.sessionId)).toBe(false);
      expect(await reasonOf(fixture.refresh(newest, opened))).toBe('REFRESH_TOKEN_INVALID');
      expect(await reasonOf(fixture.refresh(session.refreshToken, opened))).toBe('REFRESH_TOKEN_INVALID');
    },
  );

  it('AUTH-26: ends the session by an old token too, without a replay event', async () => {
    const session = await mint();
    const { refresh_token: newest } = await fixture.refresh(session.refreshToken);
    await fixture.ageExchanges(session.sessionId, '1 day');
    await fixture.logout(session.refreshToken);
    expect(await reasonOf(fixture.refresh(newest))).toBe('REFRESH_TOKEN_INVALID');
    expect(await eventsOf(session.sessionId)).toMatchObject([{ name: 'auth.session-ended' }]);
  });

  it('AUTH-25: records one event for concurrent and repeated calls', async () => {
    const session = await mint();
    await Promise.all(Array.from({ length: 20 }, () => fixture.logout(session.refreshToken)));
    await fixture.logout(session.refreshToken);
    expect(await eventsOf(session.sessionId)).toEqual([
      {
        name: 'auth.session-ended',
        account_id: session.accountId,
        payload: {
          account_id: session.accountId,
          user_id: session.subject,
          session_id: session.sessionId,
          client_ip: '192.0.2.7',
          user_agent: 'Tests/1.0',
        },
      },
    ]);
  });

  it('AUTH-25: ends an identity-only session without an event', async () => {
    const session = await mint({ sessionType: 'identity_only' });
    await fixture.logout(session.refreshToken);
    expect(await fixture.admits(session.sessionId)).toBe(false);
    expect(await eventsOf(session.sessionId)).toEqual([]);
  });

  it.each([undefined, '', 'x', 'vkr_', 'vkr_AAAA', 'x'.repeat(1_024)])(
    'AUTH-25: succeeds without effect for the invalid token %p',
    async (token) => {
      await fixture.logout(token);
      await fixture.logout(token, 'cookie');
    },
  );

  it('records no event for an expired session', async () => {
    const session = await mint();
    await fixture.ageExpiry(session.sessionId, '31 days');
    await fixture.logout(session.refreshToken);
    expect(await eventsOf(session.sessionId)).toEqual([]);
    expect(await fixture.admits(session.sessionId)).toBe(false);
  });

  it("leaves the user's other sessions open", async () => {
    const [one, other] = [await mint(), await mint()];
    await fixture.logout(one.refreshToken);
    expect(await reasonOf(fixture.refresh(other.refreshToken))).toBe('none');
  });

  it('AUTH-26: leaves no valid token when refreshes run concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const session = await mint();
      const refresh = () => fixture.refresh(session.refreshToken).catch(() => undefined);
      const [before, , after] = await Promise.all([
        Promise.all([refresh(), refresh()]),
        fixture.logout(session.refreshToken),
        Promise.all([refresh(), refresh()]),
      ]);
      for (const answer of [...before, ...after])
        if (answer)
          expect(await reasonOf(fixture.refresh(answer.refresh_token))).toBe('REFRESH_TOKEN_INVALID');
      expect(await fixture.admits(session.sessionId)).toBe(false);
    }
  });
});
