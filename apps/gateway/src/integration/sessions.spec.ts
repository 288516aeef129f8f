import { beforeAll, describe, expect, it } from '@jest/globals';
import { endSession, refreshSession } from '@vaultsvc/contracts/auth';
import { operations } from '@vaultsvc/contracts/catalog';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, setCookieOf } from '@vaultsvc/testing/http';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { fixtureSettings } from '../testing/gateway-fixture.js';
import { gatewayOver } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const authService = useService(harness, auth);
let url: string;

beforeAll(async () => {
  url = urlOf(await harness.start(gatewayOver(operations), fixtureSettings));
});

const browser = (value: string) => ({ 'X-VK-Client': 'web', Cookie: `__Host-vk_refresh=${value}` });
/** A browser's call with this cookie. */
const byCookie = (value: string, headers = {}) =>
  api(url).call(refreshSession, { body: {} }, { ...browser(value), ...headers });
const endByCookie = (value: string, headers = {}) =>
  api(url).call(endSession, { body: {} }, { ...browser(value), ...headers });
const byBody = (refresh_token: string) => api(url).call(refreshSession, { body: { refresh_token } });
const readsAccount = async (jwt: string) =>
  (await api(url, { jwt }).send({ method: 'GET', target: '/v1/api-keys' })).status;

describe('a renewal with the real auth service', () => {
  it('AUTH-15 AUTH-31: gives a browser a new cookie, a new access token, and no refresh token', async () => {
    const session = await mintSession(authService, { delivery: 'cookie' });
    const answer = await byCookie(session.refreshToken);
    expect(answer.data).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, session_type: 'full' });
    expect(answer.data).not.toHaveProperty('refresh_token');
    const next = setCookieOf(answer)?.value as string;
    expect(next).toMatch(/^vkr_/);
    expect(next).not.toBe(session.refreshToken);
    expect(await readsAccount(answer.data?.access_token as string)).toBe(200);
    expect((await byCookie(next)).status).toBe(200);
  });

  it('AUTH-14 AUTH-18 AUTH-30: gives other clients their refresh token in the answer, and no cookie', async () => {
    const { refreshToken } = await mintSession(authService);
    const answer = await byBody(refreshToken);
    expect(answer.data?.refresh_token).toMatch(/^vkr_/);
    expect(answer.data?.refresh_token).not.toBe(refreshToken);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('AUTH-15 AUTH-33: keeps an identity-only session identity-only, for both kinds of client', async () => {
    for (const delivery of ['cookie', 'body'] as const) {
      const session = await mintSession(authService, { sessionType: 'identity_only', delivery });
      const answer = await (delivery === 'cookie' ? byCookie : byBody)(session.refreshToken);
      expect(answer.data).toMatchObject({ session_type: 'identity_only', user: null, account: null });
      expect(await readsAccount(answer.data?.access_token as string)).toBe(403);
    }
  });

  it('AUTH-19: is 401 for a body token in the cookie, and leaves cookie and session unchanged', async () => {
    const { refreshToken } = await mintSession(authService);
    const refused = await byCookie(refreshToken);
    expect(refused).toMatchObject({ status: 401, error: { code: 'UNAUTHORIZED' } });
    expect(refused.headers['set-cookie']).toBeUndefined();
    expect((await byBody(refreshToken)).status).toBe(200);
  });

  it('AUTH-20: is 401 for a cookie token in the body, and leaves the session unchanged', async () => {
    const { refreshToken } = await mintSession(authService, { delivery: 'cookie' });
    expect(await byBody(refreshToken)).toMatchObject({ status: 401, error: { code: 'UNAUTHORIZED' } });
    expect((await byCookie(refreshToken)).status).toBe(200);
  });

  it('TRAP 63 AUTH-21: succeeds in two tabs with one cookie, and either new cookie stays valid', async () => {
    const { refreshToken } = await mintSession(authService, { delivery: 'cookie' });
    const answers = await Promise.all([byCookie(refreshToken), byCookie(refreshToken)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const answer of answers) {
      expect((await byCookie(setCookieOf(answer)?.value as string)).status).toBe(200);
    }
  });

  it('AMB-20 OPEN-59: is 401 UNAUTHORIZED for an invalid token and 401 AUTHENTICATION_ERROR without one, for both kinds of client', async () => {
    for (const call of [byCookie, byBody])
      expect(await call('junk')).toMatchObject({ status: 401, error: { code: 'UNAUTHORIZED' } });
    for (const marker of ['web', 'native']) {
      const answer = await api(url).call(refreshSession, { body: {} }, { 'X-VK-Client': marker });
      expect(answer).toMatchObject({ status: 401, error: { code: 'AUTHENTICATION_ERROR' } });
    }
  });

  it('OPEN-59: is 403 for a page of another origin, and its token stays usable', async () => {
    const { refreshToken, token } = await mintSession(authService, { delivery: 'cookie' });
    const foreign = { Origin: 'https://evil.test' };
    expect((await byCookie(refreshToken, foreign)).status).toBe(403);
    expect((await endByCookie(refreshToken, foreign)).status).toBe(403);
    expect(await readsAccount(token)).toBe(200);
    expect((await byCookie(refreshToken, { Origin: 'https://app.test' })).status).toBe(200);
  });
});

describe('a sign-out with the real auth service', () => {
  const inBody = (refresh_token: string) => api(url).call(endSession, { body: { refresh_token } });
  it.each([
    ['the cookie of a browser', 'cookie', endByCookie, ''],
    ['a token of the cookie in the body', 'cookie', inBody, undefined],
    ['a token of the body', 'body', inBody, undefined],
    ['a token of the body in the cookie', 'body', endByCookie, ''],
  ] as const)(
    'AUTH-25 AUTH-26: by %s ends the session and its access tokens at once',
    async (_, delivery, signOut, cookieLeft) => {
      const { refreshToken, token } = await mintSession(authService, { delivery });
      expect(await readsAccount(token)).toBe(200);
      const answer = await signOut(refreshToken);
      expect(answer.status).toBe(204);
      expect(setCookieOf(answer)?.value).toBe(cookieLeft);
      expect(await readsAccount(token)).toBe(401);
      expect((await (delivery === 'cookie' ? byCookie : byBody)(refreshToken)).status).toBe(401);
    },
  );

  it('AUTH-25: is 204 for an invalid token, an ended session and no token, and deletes the cookie of a browser', async () => {
    for (const value of ['junk', `vkr_${'A'.repeat(71)}`, '']) {
      const answer = await endByCookie(value);
      expect(answer.status).toBe(204);
      expect(setCookieOf(answer)).toMatchObject({ value: '', attributes: { 'max-age': '0' } });
    }
  });
});
