import { describe, expect, it } from '@jest/globals';
import {
  endSession,
  listApiKeys,
  refreshSession,
  verifyIdentity,
  type OpenedSession,
} from '@vaultsvc/contracts/auth';
import { setCookieOf, succeeded, type ApiResponse } from '@vaultsvc/testing/http';
import { decodeJwt } from 'jose';
import pg from 'pg';
import {
  signUpOrganization,
  identity,
  newEmail,
  anonymous,
  signedIn,
  signIn,
  type SignedIn,
} from './sign-in.js';
import { stack } from './stack.js';

const { api_url, identity_url, postgres_url } = stack();
const unauthenticated = { status: 401, error: { code: 'AUTHENTICATION_ERROR' } };
const unauthorized = { status: 401, error: { code: 'UNAUTHORIZED' } };
const replayed = { status: 401, error: { code: 'TOKEN_REPLAY' } };
const keys = { query: { limit: 1 } };

const COOKIE = '__Host-vk_refresh';
const web = { 'X-VK-Client': 'web' };
const fromPage = { ...web, Origin: identity_url, 'Sec-Fetch-Site': 'same-site' };
const withCookie = (token: string) => ({ Cookie: `${COOKIE}=${token}` });

const refresh = (refresh_token?: string, headers?: Record<string, string>) =>
  anonymous.call(refreshSession, { body: { refresh_token } }, headers);
const refreshed = async (refresh_token?: string) =>
  succeeded(await refresh(refresh_token)).refresh_token ?? '';
const logout = (refresh_token?: string, headers?: Record<string, string>) =>
  anonymous.call(endSession, { body: { refresh_token } }, headers);
const isOpen = async ({ access_token }: Pick<OpenedSession, 'access_token'>) =>
  (await signedIn({ access_token, user: null, account: null }).client.call(listApiKeys, keys)).status === 200;

/** Makes every exchange of this session 31 seconds old, past its grace period (OPEN-63). */
async function passWindow({ session }: SignedIn): Promise<void> {
  const database = new pg.Client({ connectionString: postgres_url });
  await database.connect();
  const { rowCount } = await database.query(
    `UPDATE auth.superseded SET at = at - interval '31 seconds' WHERE family_id = $1`,
    [decodeJwt(session.access_token)['sid']],
  );
  await database.end();
  expect(rowCount).toBeGreaterThan(0);
}

/** Signs in as a browser does; returns the session, which has no refresh token, and the cookie. */
async function browserSignIn(email: string) {
  const token = await identity.idToken({ email });
  const answer = await anonymous.call(verifyIdentity, { body: { token } }, fromPage);
  return { session: succeeded(answer), cookie: cookieOf(answer) };
}

function cookieOf(answer: ApiResponse): string {
  const cookie = setCookieOf(answer);
  expect(cookie?.name).toBe(COOKIE);
  return cookie?.value ?? '';
}

describe('a session whose refresh token is in the body', () => {
  it('AUTH-14 AUTH-15 AUTH-16 AUTH-18 AUTH-30: is continued by rotating tokens', async () => {
    const owner = await signUpOrganization('Rotation');
    const answer = await refresh(owner.session.refresh_token);
    const { user, account } = owner.session;
    expect(setCookieOf(answer)).toBeUndefined();
    const next = succeeded(answer);
    expect(next).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3_600,
      session_type: 'full',
      user,
      account,
    });
    expect(next.refresh_token).not.toBe(owner.session.refresh_token);
    const { exp = 0, iat = 0, sid } = decodeJwt(next.access_token);
    expect(exp - iat).toBe(3_600);
    expect(sid).toBe(decodeJwt(owner.session.access_token)['sid']);
    expect(await isOpen(next)).toBe(true);
  });

  it('AUTH-15 AUTH-33: remains identity-only after a refresh', async () => {
    const { session } = await signIn({ email: newEmail() });
    const next = succeeded(await refresh(session.refresh_token));
    expect(next).toMatchObject({ session_type: 'identity_only', user: null, account: null });
    expect(await isOpen(next)).toBe(false);
  });

  it('AUTH-21 AUTH-22 AUTH-23 AUTH-24 OPEN-09: accepts a prompt replay of a token, and is revoked at once by a late one', async () => {
    const owner = await signUpOrganization('Replay');
    const second = await refreshed(owner.session.refresh_token);
    const third = await refreshed(owner.session.refresh_token);
    expect(new Set([owner.session.refresh_token, second, third]).size).toBe(3);
    expect(await isOpen(owner.session)).toBe(true);
    await passWindow(owner);
    expect(await refresh(owner.session.refresh_token)).toMatchObject(replayed);
    expect(await refresh(third)).toMatchObject(unauthorized);
    expect(await isOpen(owner.session)).toBe(false);
  });

  it('AUTH-13 OPEN-59: answers a missing token with AUTHENTICATION_ERROR and an invalid one with UNAUTHORIZED', async () => {
    expect(await refresh()).toMatchObject(unauthenticated);
    expect(await refresh('junk')).toMatchObject(unauthorized);
    expect(await refresh('x'.repeat(1_025))).toMatchObject({ status: 400 });
  });

  it('AUTH-25 AUTH-26 OPEN-09: is ended by logout with its access tokens, idempotently', async () => {
    const { session } = await signUpOrganization('Logout');
    const newest = await refreshed(session.refresh_token);
    for (const token of [session.refresh_token, newest, 'junk', undefined])
      expect((await logout(token)).status).toBe(204);
    expect(await isOpen(session)).toBe(false);
    expect(await refresh(newest)).toMatchObject(unauthorized);
  });
});

describe('a session whose refresh token is in the cookie', () => {
  it('AUTH-14 AUTH-17 AUTH-28 AUTH-29 AUTH-31: has no token in any body, and a new one after every refresh', async () => {
    const { session, cookie } = await browserSignIn(newEmail());
    expect(session).not.toHaveProperty('refresh_token');
    const answer = await refresh(undefined, { ...fromPage, ...withCookie(cookie) });
    expect(succeeded(answer)).not.toHaveProperty('refresh_token');
    expect(cookieOf(answer)).not.toBe(cookie);
    expect(setCookieOf(answer)?.attributes).toEqual({
      path: '/',
      secure: '',
      httponly: '',
      samesite: 'Strict',
      'max-age': '2592000',
    });
    expect(answer.headers['access-control-allow-origin']).toBe(identity_url);
    expect(answer.headers['access-control-allow-credentials']).toBe('true');
  });

  it('AUTH-23 AUTH-24: is revoked by a late replay, which leaves the cookie unchanged', async () => {
    const owner = await signUpOrganization('Late tab');
    const email = owner.session.user?.email ?? '';
    const { session, cookie } = await browserSignIn(email);
    const newest = cookieOf(await refresh(undefined, { ...web, ...withCookie(cookie) }));
    await passWindow({ ...owner, session });
    const answer = await refresh(undefined, { ...web, ...withCookie(cookie) });
    expect(answer).toMatchObject(replayed);
    expect(setCookieOf(answer)).toBeUndefined();
    expect(await refresh(undefined, { ...web, ...withCookie(newest) })).toMatchObject(unauthorized);
    expect(await isOpen(session)).toBe(false);
    expect(await isOpen(owner.session)).toBe(true);
  });

  it('AUTH-19 AUTH-20 AMB-45: rejects tokens of the other delivery without revoking them', async () => {
    const { session } = await signIn({ email: newEmail() });
    const inBody = session.refresh_token ?? '';
    const { cookie } = await browserSignIn(newEmail());
    expect(await refresh(undefined, { ...web, ...withCookie(inBody) })).toMatchObject(unauthorized);
    expect(await refresh(cookie)).toMatchObject(unauthorized);
    expect(await refresh(undefined, withCookie(cookie))).toMatchObject(unauthenticated);
    expect((await refresh(inBody)).status).toBe(200);
    expect((await refresh(undefined, { ...web, ...withCookie(cookie) })).status).toBe(200);
  });

  it('OPEN-54 OPEN-59: can be neither used nor ended by pages of other sites', async () => {
    const { cookie } = await browserSignIn(newEmail());
    const foreign: Record<string, string>[] = [
      { Origin: 'https://attacker.example' },
      { Origin: 'null' },
      { Origin: `${identity_url}.attacker.example` },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const all = { ...web, ...withCookie(cookie), ...headers };
      for (const answer of [await refresh(undefined, all), await logout(undefined, all)]) {
        expect(answer).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
        expect(setCookieOf(answer)).toBeUndefined();
        expect(answer.headers['access-control-allow-origin']).not.toBe(headers['Origin'] ?? '*');
      }
    }
    const own = await refresh(undefined, { ...fromPage, ...withCookie(cookie) });
    expect(own.status).toBe(200);
  });

  it('AUTH-25 AUTH-26 OPEN-09: is ended by logout, which deletes the cookie, for either delivery of the token', async () => {
    const owner = await signUpOrganization('Browser logout');
    const email = owner.session.user?.email ?? '';
    const byCookie = await browserSignIn(email);
    const answer = await logout(undefined, { ...fromPage, ...withCookie(byCookie.cookie) });
    expect(answer.status).toBe(204);
    expect(setCookieOf(answer)).toMatchObject({ name: COOKIE, value: '', attributes: { 'max-age': '0' } });
    const byBody = await browserSignIn(email);
    expect((await logout(byBody.cookie)).status).toBe(204);
    for (const { session, cookie } of [byCookie, byBody]) {
      expect(await isOpen(session)).toBe(false);
      expect(await refresh(undefined, { ...web, ...withCookie(cookie) })).toMatchObject(unauthorized);
    }
    expect(await isOpen(owner.session)).toBe(true);
  });

  it('OPEN-54: is available to the page with the marker header and credentials (CORS)', async () => {
    const preflight = await fetch(`${api_url}/v1/auth/refresh`, {
      method: 'OPTIONS',
      headers: {
        Origin: identity_url,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-vk-client',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(identity_url);
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-vk-client');
  });
});
