import { describe, expect, it } from '@jest/globals';
import { decode } from '@vaultsvc/contracts';
import { RefreshToken } from '@vaultsvc/contracts/auth';
import { reasonOf } from '@vaultsvc/testing/harness';
import { repeatUntilFasterThan } from '@vaultsvc/testing/waiting';
import { mintSession, type SessionOptions, type TestSession } from '@vaultsvc/tools-testing/accounts';
import { decodeJwt } from 'jose';
import { useSessionFixture } from '../testing/session-fixture.js';

const fixture = useSessionFixture();

const mint = (options?: SessionOptions) => mintSession(fixture.service, options);
/** The next refresh token of a session with body delivery. */
const next = async (token: string) => (await fixture.refresh(token)).refresh_token as string;
const nextByCookie = async (token: string) =>
  (await fixture.refresh(token, 'cookie')).refresh_token as string;
const family = async ({ sessionId }: TestSession) =>
  (
    await fixture.sql(
      `SELECT head, revoked_at IS NOT NULL AS ended, expires_at,
              expires_at - now() BETWEEN interval '29 days 23:59' AND interval '30 days' AS lives_thirty_days
         FROM families WHERE id = $1`,
      [sessionId],
    )
  )[0];

describe('POST /v1/auth/refresh', () => {
  it('AUTH-15 AUTH-16: answers a full session with tokens, user and account', async () => {
    const session = await mint({ role: 'admin' });
    const answer = await fixture.refresh(session.refreshToken);
    expect(answer).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(/^vkr_[A-Za-z0-9_-]{71}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      session_type: 'full',
      user: {
        user_id: session.subject,
        email: expect.stringContaining('@'),
        name: expect.any(String),
        role: 'admin',
      },
      account: {
        account_id: session.accountId,
        organization_name: 'Test organization',
        status: 'active',
      },
    });
    const { iat = 0, exp, ...claims } = decodeJwt(answer.access_token);
    expect(exp).toBe(iat + 3_600);
    expect(claims).toMatchObject({
      sid: session.sessionId,
      sub: session.subject,
      account_id: session.accountId,
    });
    expect(await fixture.admits(session.sessionId)).toBe(true);
  });

  it('AUTH-15: answers an identity-only session without user and account', async () => {
    const session = await mint({ sessionType: 'identity_only' });
    const answer = await fixture.refresh(session.refreshToken);
    expect(answer).toMatchObject({
      session_type: 'identity_only',
      user: null,
      account: null,
      token_type: 'Bearer',
      expires_in: 3_600,
    });
    const claims = decodeJwt(answer.access_token);
    expect(claims).toMatchObject({
      sid: session.sessionId,
      sub: session.subject,
      session_type: 'identity_only',
    });
    expect(claims).not.toHaveProperty('account_id');
  });

  it('AUTH-13: rejects a token of 1,025 characters by validation, and one of 1,024 as an invalid token', async () => {
    expect(() => decode(RefreshToken, { refresh_token: 'x'.repeat(1_025) })).toThrow(
      expect.objectContaining({ reason: 'VALIDATION_ERROR' }),
    );
    expect(() => decode(RefreshToken, { refresh_token: '' })).toThrow();
    const { refresh_token } = decode(RefreshToken, { refresh_token: 'x'.repeat(1_024) });
    expect(await reasonOf(fixture.refresh(refresh_token))).toBe('REFRESH_TOKEN_INVALID');
  });

  it.each(['body', 'cookie'] as const)(
    'AUTH-13 OPEN-59: answers 401 AUTHENTICATION_ERROR without a token in the %s',
    async (delivery) => {
      expect(await reasonOf(fixture.refresh(undefined, delivery))).toBe('AUTHENTICATION_ERROR');
    },
  );

  it('AUTH-18 AUTH-31: rotates the token at every refresh, and accepts each new one', async () => {
    const [native, browser] = [await mint(), await mint({ delivery: 'cookie' })];
    const seen = new Set([native.refreshToken, browser.refreshToken]);
    let [body, cookie] = [native.refreshToken, browser.refreshToken];
    for (let i = 0; i < 5; i++) {
      [body, cookie] = [await next(body), await nextByCookie(cookie)];
      seen.add(body).add(cookie);
    }
    expect(seen.size).toBe(12);
    expect(await family(native)).toMatchObject({ head: 6, ended: false });
    expect(await family(browser)).toMatchObject({ head: 6, ended: false });
  });

  it('AUTH-18: keeps earlier access tokens valid', async () => {
    const session = await mint();
    await next(session.refreshToken);
    expect(await fixture.admits(session.sessionId)).toBe(true);
  });
});

describe('AUTH-17: a refresh token', () => {
  it('is accepted until the end of its thirty days and refused from then on', async () => {
    const [valid, expired] = [await mint(), await mint()];
    expect(await family(valid)).toMatchObject({ lives_thirty_days: true });
    await fixture.ageExpiry(valid.sessionId, '29 days 23:59:50');
    await fixture.ageExpiry(expired.sessionId, '30 days 1 second');
    expect(await reasonOf(fixture.refresh(valid.refreshToken))).toBe('none');
    expect(await reasonOf(fixture.refresh(expired.refreshToken))).toBe('REFRESH_TOKEN_INVALID');
    expect(await family(expired)).toMatchObject({ head: 1, ended: false });
    expect(await fixture.admits(expired.sessionId)).toBe(false);
  });

  it('has thirty days of its own after every rotation', async () => {
    const session = await mint();
    await fixture.ageExpiry(session.sessionId, '20 days');
    const second = await next(session.refreshToken);
    expect(await family(session)).toMatchObject({ lives_thirty_days: true });
    await fixture.ageExpiry(session.sessionId, '20 days');
    expect(await reasonOf(fixture.refresh(second))).toBe('none');
  });
});

describe('AUTH-14: a refresh token sent with the other delivery', () => {
  it('AUTH-19: is answered 401 without effect for a body token in a cookie, which then works in the body', async () => {
    const session = await mint();
    expect(await reasonOf(fixture.refresh(session.refreshToken, 'cookie'))).toBe('REFRESH_TOKEN_INVALID');
    expect(await family(session)).toMatchObject({ head: 1, ended: false });
    expect(await reasonOf(fixture.refresh(session.refreshToken, 'body'))).toBe('none');
  });

  it('AUTH-20: is answered 401 without effect for a cookie token in the body, which then works in the cookie', async () => {
    const session = await mint({ delivery: 'cookie' });
    expect(await reasonOf(fixture.refresh(session.refreshToken, 'body'))).toBe('REFRESH_TOKEN_INVALID');
    expect(await family(session)).toMatchObject({ head: 1, ended: false });
    expect(await reasonOf(fixture.refresh(session.refreshToken, 'cookie'))).toBe('none');
  });

  it.each(['body', 'cookie'] as const)(
    'AUTH-19 AUTH-20: ends nothing if it is a used token of a %s session, however old',
    async (delivery) => {
      const session = await mint({ delivery });
      await fixture.refresh(session.refreshToken, delivery);
      await fixture.ageExchanges(session.sessionId, '1 day');
      const other = delivery === 'body' ? 'cookie' : 'body';
      expect(await reasonOf(fixture.refresh(session.refreshToken, other))).toBe('REFRESH_TOKEN_INVALID');
      expect(await family(session)).toMatchObject({ head: 2, ended: false });
    },
  );
});

describe('AUTH-21 AUTH-22: the retry window of thirty seconds', () => {
  it('AUTH-21: lets a repeated T1 return T3, and both T2 and T3 are valid', async () => {
    const session = await mint();
    const second = await next(session.refreshToken);
    const third = await next(session.refreshToken);
    expect(new Set([session.refreshToken, second, third]).size).toBe(3);
    expect(await family(session)).toMatchObject({ head: 3 });
    expect(await reasonOf(fixture.refresh(third))).toBe('none');
    expect(await reasonOf(fixture.refresh(second))).toBe('none');
  });

  it('AUTH-21 AUTH-31: lets a repeated cookie return the same next cookie without a change', async () => {
    const session = await mint({ delivery: 'cookie' });
    const second = await nextByCookie(session.refreshToken);
    await fixture.ageExpiry(session.sessionId, '20 seconds');
    const before = await family(session);
    expect(await nextByCookie(session.refreshToken)).toBe(second);
    expect(await nextByCookie(session.refreshToken)).toBe(second);
    expect(await family(session)).toEqual(before);
    expect(await nextByCookie(second)).not.toBe(second);
  });

  it('AUTH-21: lets a cookie two generations old return the newest one', async () => {
    const session = await mint({ delivery: 'cookie' });
    const second = await nextByCookie(session.refreshToken);
    const third = await nextByCookie(second);
    expect(await nextByCookie(session.refreshToken)).toBe(third);
    expect(await nextByCookie(second)).toBe(third);
  });

  it.each(['body', 'cookie'] as const)(
    'AUTH-22: starts at the first exchange, and no retry extends it (%s)',
    async (delivery) => {
      const reasons = await repeatUntilFasterThan(3, async () => {
        const session = await mint({ delivery });
        const again = () => reasonOf(fixture.refresh(session.refreshToken, delivery));
        const first = await again();
        await fixture.ageExchanges(session.sessionId, '27 seconds');
        const second = await again();
        await fixture.ageExchanges(session.sessionId, '3 seconds');
        return [first, second, await again()];
      });
      expect(reasons).toEqual(['none', 'none', 'TOKEN_REPLAY']);
    },
  );

  it('AUTH-22: is kept per generation: T1 is too old while T2 is not', async () => {
    const session = await mint();
    const second = await next(session.refreshToken);
    await fixture.ageExchanges(session.sessionId, '31 seconds');
    const third = await next(second);
    expect(await reasonOf(fixture.refresh(second))).toBe('none');
    expect(await reasonOf(fixture.refresh(third))).toBe('none');
    expect(await reasonOf(fixture.refresh(session.refreshToken))).toBe('TOKEN_REPLAY');
  });

  it('needs no exchange older than thirty seconds, which are deleted', async () => {
    const session = await mint();
    let token = session.refreshToken;
    for (let i = 0; i < 4; i++) {
      token = await next(token);
      await fixture.ageExchanges(session.sessionId, '16 seconds');
    }
    const kept = await fixture.sql(
      `SELECT generation FROM superseded WHERE family_id = $1 ORDER BY generation`,
      [session.sessionId],
    );
    expect(kept).toEqual([{ generation: 3 }, { generation: 4 }]);
  });
});

describe('OPEN-07: refreshing a session', () => {
  it.each([
    ['user was removed', `UPDATE users SET status = 'removed', version = version + 1 WHERE id = $1`],
    ['user is only invited', `UPDATE users SET status = 'invited', version = version + 1 WHERE id = $1`],
    [
      'account is suspended',
      `UPDATE accounts SET status = 'suspended', version = version + 1
        WHERE id = (SELECT account_id FROM users WHERE id = $1)`,
    ],
  ])('is refused without a rotation if its %s', async (_, sql) => {
    const session = await mint();
    expect(await fixture.admits(session.sessionId)).toBe(true);
    await fixture.sql(sql, [session.subject]);
    expect(await reasonOf(fixture.refresh(session.refreshToken))).toBe('REFRESH_TOKEN_INVALID');
    expect(await family(session)).toMatchObject({ head: 1, ended: false });
    expect(await fixture.admits(session.sessionId)).toBe(false);
  });
});
