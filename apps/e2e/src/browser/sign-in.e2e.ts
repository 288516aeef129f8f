import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readMe } from '@vaultsvc/contracts/auth';
import { api } from '@vaultsvc/testing/http';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { stack } from '../stack.js';
import { launchBrowser } from './browser.js';
import { measureLegibility } from './legibility.js';
import { newAddress, SignInPage } from './sign-in-page.js';

const COOKIE = '__Host-vk_refresh';
/** For people to look at after a run. */
const pictures = join(tmpdir(), `vaultsvc-pages-${process.getuid?.()}`);
const described = stack();
const me = (token: string) => api(described.api_url, { jwt: token }).call(readMe, {});

let browser: Browser;
let context: BrowserContext;
let tab: SignInPage;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await launchBrowser();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  tab = await SignInPage.openIn(context, described);
});
afterEach(() => context.close());
afterAll(() => browser.close());

const refreshCookie = async () => (await context.cookies()).find(({ name }) => name === COOKIE);

describe('AUTH-36 OPEN-47: a newcomer in a browser', () => {
  it('AUTH-36 AUTH-28 AUTH-29: signs in, names the organization, and owns it; nothing of the refresh token is in reach of a script', async () => {
    const email = newAddress();
    await tab.signIn(email, 'Ann Ärmel');
    await tab.heading('Name your organization').waitFor();
    await tab.nameOrganization('Ann’s Laundry');
    await tab.isSignedIn();
    expect(await tab.field('email')).toBe(email);
    expect(await tab.field('name')).toBe('Ann Ärmel');
    expect(await tab.field('role')).toBe('owner');
    expect(await tab.field('organization')).toBe('Ann’s Laundry');
    expect((await me(await tab.lastAccessToken())).data).toMatchObject({ user: { email }, role: 'owner' });

    const cookie = await refreshCookie();
    expect(cookie).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/',
      domain: '127.0.0.1',
    });
    for (const origin of [described.identity_url, `${described.api_url}/docs`]) {
      await tab.page.goto(origin);
      expect(await tab.page.evaluate('document.cookie')).toBe('');
    }
    for (const { text } of await tab.heard()) {
      expect(text).not.toContain('refresh_token');
      expect(text).not.toContain(cookie?.value);
    }
    expect(tab.errors).toEqual([]);
  });

  it('AUTH-28: no token is kept where a script finds it, and no code stays in the address', async () => {
    await tab.signUp();
    expect(tab.page.url()).toBe(`${described.identity_url}/signin`);
    const kept = await tab.page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect(kept).toBe('[{},{}]');
  });

  it('AUTH-31: stays signed in over a reload, and each renewal changes the cookie and shows no refresh token', async () => {
    const email = await tab.signUp();
    const before = await refreshCookie();
    await tab.page.reload();
    await tab.isSignedIn();
    expect(await tab.field('email')).toBe(email);
    const after = await refreshCookie();
    expect(after?.value).not.toBe(before?.value);
    const renewals = await tab.heardOf(({ path, status }) => path === '/v1/auth/refresh' && status === 200);
    expect(renewals).toHaveLength(1);
    for (const { setCookie, text } of renewals) {
      expect(setCookie).toMatch(
        /^__Host-vk_refresh=vkr_[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
      );
      expect(text).not.toContain('refresh_token');
    }
  });

  it('AUTH-36: an identity without an organization is asked for its name again after a reload', async () => {
    await tab.signIn(newAddress());
    await tab.heading('Name your organization').waitFor();
    await tab.page.reload();
    await tab.heading('Name your organization').waitFor();
    await tab.nameOrganization('  ');
    await tab.page.getByRole('alert').getByText('Please name your organization.').waitFor();
    await tab.nameOrganization('Later');
    await tab.isSignedIn();
    expect(await tab.field('organization')).toBe('Later');
  });

  it('OPEN-47: comes back as the same person, in another browser too', async () => {
    const email = await tab.signUp();
    const elsewhere = await browser.newContext();
    const other = await SignInPage.openIn(elsewhere, described);
    await other.signIn(email.toUpperCase());
    await other.isSignedIn();
    expect(await other.field('organization')).toBe('Ann’s Laundry');
    await elsewhere.close();
  });
});

describe('Two tabs of one browser', () => {
  it('AUTH-31: stay signed in when both renew at once, ten times', async () => {
    await tab.signUp();
    const second = await SignInPage.openIn(context, described);
    await second.isSignedIn();
    const statuses: number[] = [];
    for (let round = 0; round < 10; round++)
      statuses.push(...(await Promise.all([tab.refresh(), second.refresh()])));
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    await tab.page.reload();
    await tab.isSignedIn();
  });

  it('AUTH-31: stay signed in when pages that take no turns race for the cookie, ten times', async () => {
    await tab.signUp();
    const second = await SignInPage.openIn(context, described);
    await second.isSignedIn();
    const renew = `(async function renew() {
      const { status } = await fetch('${described.api_url}/v1/auth/refresh', { method: 'POST', credentials: 'include',
        body: '{}', headers: { 'Content-Type': 'application/json', 'X-VK-Client': 'web' } });
      return status === 429 ? renew() : status; // nobody could count (ENV-36)
    })()`;
    const statuses: unknown[] = [];
    for (let round = 0; round < 10; round++)
      statuses.push(...(await Promise.all([tab.page.evaluate(renew), second.page.evaluate(renew)])));
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    await second.page.reload();
    await second.isSignedIn();
  });

  it('AUTH-28: log out together, and the access tokens of both are dead', async () => {
    await tab.signUp();
    const second = await SignInPage.openIn(context, described);
    await second.isSignedIn();
    const tokens = [await tab.lastAccessToken(), await second.lastAccessToken()];
    for (const token of tokens) expect((await me(token)).status).toBe(200);
    await tab.button('Log out').click();
    await tab.isSignedOut();
    for (const token of tokens) expect((await me(token)).status).toBe(401);
    await second.isSignedOut();
    expect(await refreshCookie()).toBeUndefined();
    await tab.page.reload();
    await tab.isSignedOut();
  });
});

describe('A sign-in that goes wrong', () => {
  it('OPEN-47: an answer that this tab did not ask for is not believed', async () => {
    await tab.page.goto(`${described.identity_url}/signin?code=stolen&state=other`);
    await tab.page
      .getByRole('alert')
      .getByText('That answer belongs to another sign-in. Sign in again.')
      .waitFor();
    expect(tab.page.url()).toBe(`${described.identity_url}/signin`);
    expect((await tab.heard()).map(({ path }) => path)).not.toContain('/v1/auth/identity/token');
  });

  it('OPEN-47: says in words that the API does not answer, and goes on when it does', async () => {
    await context.route(`${described.api_url}/**`, (route) => route.abort());
    await tab.page.reload();
    await tab.page.getByRole('alert').getByText('does not answer').waitFor();
    await context.unroute(`${described.api_url}/**`);
    await tab.signUp();
  });
});

describe('A limiter that cannot count for a moment', () => {
  it('ENV-36: is asked again by the page, and nobody sees it', async () => {
    const readable = {
      'Access-Control-Allow-Origin': described.identity_url,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': 'Retry-After',
    };
    const refusal = { status: 429, headers: { 'Retry-After': '1', ...readable } };
    let refusals = 2;
    await context.route(`${described.api_url}/**`, (route) =>
      route.request().method() === 'POST' && refusals-- > 0 ? route.fulfill(refusal) : route.continue(),
    );
    await tab.page.reload();
    await tab.isSignedOut();
    expect(refusals).toBeLessThan(0); // both were met, and what came after them passed
    expect(await tab.page.getByRole('alert').count()).toBe(0); // one without a text is none
  });
});

describe('Someone without a mouse', () => {
  it('AUTH-36: signs in, names the organization, renews and logs out by the keyboard alone', async () => {
    const { keyboard } = tab.page;
    const email = newAddress();
    await tab.button('Sign in').waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await tab.heading('Who are you?').waitFor();
    // The cursor is in the first field, as soon as the page is painted.
    await tab.page.locator('input:focus').waitFor();
    await keyboard.type(email);
    await keyboard.press('Enter');
    await tab.heading('Name your organization').waitFor();
    await keyboard.type('Keys Only');
    await keyboard.press('Enter');
    await tab.isSignedIn();
    expect(await tab.field('organization')).toBe('Keys Only');
    expect(await tab.page.evaluate('document.activeElement.textContent')).toBe('You are signed in');
    await keyboard.press('Tab');
    const renewed = tab.isRefreshed();
    await keyboard.press('Space');
    expect(await renewed).toBe(200);
    await tab.isIdle();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await tab.isSignedOut();
    expect(await tab.page.evaluate('document.activeElement.textContent')).toBe('Sign in');
  });
});

describe.each([
  ['phone', { width: 360, height: 740 }],
  ['desktop', { width: 1280, height: 800 }],
] as const)('OPEN-47: the pages on a %s', (size, viewport) => {
  it.each(['light', 'dark'] as const)('fit the screen and can be read, %s', async (colorScheme) => {
    const own = await browser.newContext({ viewport, colorScheme });
    const there = await SignInPage.openIn(own, described);
    const look = async (name: string) => {
      await there.page.screenshot({ path: join(pictures, `${size}-${colorScheme}-${name}.png`) });
      const { overflow, contrast } = await measureLegibility(there.page);
      expect({ name, overflow }).toEqual({ name, overflow: 0 });
      expect(contrast).toBeGreaterThanOrEqual(4.5);
    };
    await there.isSignedOut();
    await look('signed-out');
    await there.signIn('nobody');
    await there.page.getByRole('alert').waitFor();
    await look('bad-address');
    await there.page.getByLabel('E-mail address').fill(newAddress());
    await there.button('Continue').click();
    await there.heading('Name your organization').waitFor();
    await look('naming');
    await there.nameOrganization(`${'A very long name of an organization '.repeat(6)}${'x'.repeat(40)}`);
    await there.isSignedIn();
    await look('signed-in');
    await own.close();
  });
});
