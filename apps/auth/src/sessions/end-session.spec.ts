import { describe, expect, it } from '@jest/globals';
import { outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { mintSession, type SessionOptions } from '@vaultsvc/tools-testing/accounts';
import { useSessionPlatform } from '../testing/sessions.js';

const platform = useSessionPlatform();

const mint = (options?: SessionOptions) => mintSession(platform.service, options);
const eventsOf = async (sessionId: string) => {
  const columns = ['name', 'account_id', 'payload'] as const;
  const events = await outboxEvents(platform.service, { session_id: sessionId }, { columns });
  return events.filter(({ name }) => name !== 'auth.session-opened');
};

describe('POST /v1/auth/logout', () => {
  const ways = ['body', 'cookie'] as const;
  const pairs = ways.flatMap((opened) => ways.map((ended) => ({ opened, ended })));

  it.each(pairs)(
    'AUTH-25 AUTH-26 OPEN-09: ends a $opened session by $ended, its access tokens included',
    async ({ opened, ended }) => {
      const session = await mint({ delivery: opened });
      const { refresh_token: newest } = await platform.refresh(session.refreshToken, opened);
      expect(await platform.admits(session.sessionId)).toBe(true);
      await platform.logout(newest, ended);
      expect(await platform.admits(session.sessionId)).toBe(false);
      expect(await reasonOf(platform.refresh(newest, opened))).toBe('REFRESH_TOKEN_INVALID');
      expect(await reasonOf(platform.refresh(session.refreshToken, opened))).toBe('REFRESH_TOKEN_INVALID');
    },
  );

  it('AUTH-26: an old token ends the session too, and that is no replay', async () => {
    const session = await mint();
    const { refresh_token: newest } = await platform.refresh(session.refreshToken);
    await platform.ageExchanges(session.sessionId, '1 day');
    await platform.logout(session.refreshToken);
    expect(await reasonOf(platform.refresh(newest))).toBe('REFRESH_TOKEN_INVALID');
    expect(await eventsOf(session.sessionId)).toMatchObject([{ name: 'auth.session-ended' }]);
  });

  it('AUTH-25: is told of once, however often and by however many it is asked', async () => {
    const session = await mint();
    await Promise.all(Array.from({ length: 20 }, () => platform.logout(session.refreshToken)));
    await platform.logout(session.refreshToken);
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
    await platform.logout(session.refreshToken);
    expect(await platform.admits(session.sessionId)).toBe(false);
    expect(await eventsOf(session.sessionId)).toEqual([]);
  });

  it.each([undefined, '', 'x', 'vkr_', 'vkr_AAAA', 'x'.repeat(1_024)])(
    'AUTH-25: junk (%p) ends nothing and succeeds',
    async (junk) => {
      await platform.logout(junk);
      await platform.logout(junk, 'cookie');
    },
  );

  it('an expired session has no end to tell of', async () => {
    const session = await mint();
    await platform.ageExpiry(session.sessionId, '31 days');
    await platform.logout(session.refreshToken);
    expect(await eventsOf(session.sessionId)).toEqual([]);
    expect(await platform.admits(session.sessionId)).toBe(false);
  });

  it("leaves the user's other sessions open", async () => {
    const [one, other] = [await mint(), await mint()];
    await platform.logout(one.refreshToken);
    expect(await reasonOf(platform.refresh(other.refreshToken))).toBe('none');
  });

  it('AUTH-26: refreshes that race with it end refused; nothing lives afterwards', async () => {
    for (let round = 0; round < 10; round++) {
      const session = await mint();
      const refresh = () => platform.refresh(session.refreshToken).catch(() => undefined);
      const [before, , after] = await Promise.all([
        Promise.all([refresh(), refresh()]),
        platform.logout(session.refreshToken),
        Promise.all([refresh(), refresh()]),
      ]);
      for (const answer of [...before, ...after])
        if (answer)
          expect(await reasonOf(platform.refresh(answer.refresh_token))).toBe('REFRESH_TOKEN_INVALID');
      expect(await platform.admits(session.sessionId)).toBe(false);
    }
  });
});
