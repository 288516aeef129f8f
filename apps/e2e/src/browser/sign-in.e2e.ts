import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inviteUser, readMe } from '@vaultsvc/contracts/auth';
import { api, succeeded } from '@vaultsvc/testing/http';
import type { Browser, BrowserContext } from 'playwright-core';
import { signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';
import { closeContext, launchBrowser, openContext } from './browser.js';
import { Looks } from './looks.js';
import { newAddress, SignInPage } from './sign-in-page.js';

const COOKIE = '__Host-vk_refresh';
const running = stack();
const me = (token: string) => api(running.api_url, { jwt: token }).call(readMe, {});

let browser: Browser;
let context: BrowserContext;
let tab: SignInPage;

beforeAll(async () => {
  browser = await launchBrowser();
});
beforeEach(async () => {
  context = await openContext(browser, { viewport: { width: 1280, height: 800 } });
  tab = await SignInPage.openIn(context, running);
});
afterEach(() => closeContext(context));
afterAll(() => browser.close());

const refreshCookie = async () => (await context.cookies()).find(({ name }) => name === COOKIE);

describe('AUTH-36 OPEN-47: a new person in a browser', () => {
  it('AUTH-36 AUTH-28 AUTH-29: signs in, names the organization and owns it, while no script can read the refresh token', async () => {
    const email = newAddress();
    await tab.signIn(email, 'Ann Ärmel');
    await tab.heading('Name your organization').waitFor();
    await tab.nameOrganization('Ann’s Laundry');
    await tab.waitUntilSignedIn();
    await tab.waitForAnswers(({ path }) => path.endsWith('/complete-signup'));
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
    // Before the visit of /docs: the OpenAPI document, which it loads, names refresh_token.
    for (const { text } of await tab.allAnswers()) {
      expect(text).not.toContain('refresh_token');
      expect(text).not.toContain(cookie?.value);
    }
    for (const origin of [running.identity_url, `${running.api_url}/docs`]) {
      await tab.page.goto(origin);
      expect(await tab.page.evaluate('document.cookie')).toBe('');
    }
    expect(tab.errors).toEqual([]);
  });

  it('AUTH-28: has no token in browser storage, and no code in the URL', async () => {
    await tab.signUp();
    expect(tab.page.url()).toBe(`${running.identity_url}/signin`);
    const kept = await tab.page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect(kept).toBe('[{},{}]');
  });

  it('AUTH-31: stays signed in after a reload, and each refresh changes the cookie without a refresh token in the body', async () => {
    const email = await tab.signUp();
    const before = await refreshCookie();
    await tab.page.reload();
    await tab.waitUntilSignedIn();
    expect(await tab.field('email')).toBe(email);
    const after = await refreshCookie();
    expect(after?.value).not.toBe(before?.value);
    const renewals = await tab.waitForAnswers(
      ({ path, status }) => path === '/v1/auth/refresh' && status === 200,
    );
    expect(renewals).toHaveLength(1);
    for (const { setCookie, text } of renewals) {
      expect(setCookie).toMatch(
        /^__Host-vk_refresh=vkr_[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
      );
      expect(text).not.toContain('refresh_token');
    }
  });

  it('AUTH-36: is asked again to name the organization after a reload', async () => {
    await tab.signIn(newAddress());
    await tab.heading('Name your organization').waitFor();
    await tab.page.reload();
    await tab.heading('Name your organization').waitFor();
    await tab.nameOrganization('  ');
    await tab.page.getByRole('alert').getByText('Please name your organization.').waitFor();
    await tab.nameOrganization('Later');
    await tab.waitUntilSignedIn();
    expect(await tab.field('organization')).toBe('Later');
  });

  it('OPEN-47: signs in as the same person from another browser', async () => {
    const email = await tab.signUp();
    const elsewhere = await openContext(browser);
    const other = await SignInPage.openIn(elsewhere, running);
    await other.signIn(email.toUpperCase());
    await other.waitUntilSignedIn();
    expect(await other.field('organization')).toBe('Ann’s Laundry');
    await elsewhere.close();
  });
});

describe('OPEN-59: an invited person in a browser', () => {
  /** Organizations that invite this address; returns their names. */
  async function invitedBy(email: string, ...names: string[]): Promise<void> {
    for (const name of names) {
      const { client } = await signUpOrganization(name);
      succeeded(await client.call(inviteUser, { body: { email, role: 'member', seat: 'full' } }));
    }
  }

  it('joins no organization by signing in, declines one invitation and accepts the other', async () => {
    const email = newAddress();
    await invitedBy(email, 'Decline Ltd', 'Accept & Sons <b>');
    await tab.signIn(email, 'Bob');
    await tab.heading('You are invited').waitFor();
    await tab.page.reload();
    await tab.heading('You are invited').waitFor();
    const item = (name: string) => tab.page.getByRole('listitem').filter({ hasText: name });
    await item('Decline Ltd').getByRole('button', { name: 'Decline' }).click();
    await item('Decline Ltd').waitFor({ state: 'detached' });
    await tab.waitUntilIdle();
    await item('Accept & Sons <b>').getByRole('button', { name: 'Accept' }).click();
    await tab.waitUntilSignedIn();
    expect(await tab.field('organization')).toBe('Accept & Sons <b>');
    expect(await tab.field('role')).toBe('member');
    expect(tab.errors).toEqual([]);
  });

  it('founds an own organization instead', async () => {
    const email = newAddress();
    await invitedBy(email, 'Unwanted');
    await tab.signIn(email);
    await tab.button('Found my own organization').click();
    await tab.nameOrganization('My own');
    await tab.waitUntilSignedIn();
    expect(await tab.field('organization')).toBe('My own');
  });
});

describe('Two tabs of one browser', () => {
  it('AUTH-31: stay signed in when both refresh concurrently, ten times', async () => {
    await tab.signUp();
    const second = await SignInPage.openIn(context, running);
    await second.waitUntilSignedIn();
    const statuses: number[] = [];
    for (let round = 0; round < 10; round++)
      statuses.push(...(await Promise.all([tab.refresh(), second.refresh()])));
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    await tab.page.reload();
    await tab.waitUntilSignedIn();
  });

  it('AUTH-31: stay signed in when both refresh concurrently without a shared lock, ten times', async () => {
    await tab.signUp();
    const second = await SignInPage.openIn(context, running);
    await second.waitUntilSignedIn();
    const renew = `(async function renew() {
      const { status } = await fetch('${running.api_url}/v1/auth/refresh', { method: 'POST', credentials: 'include',
        body: '{}', headers: { 'Content-Type': 'application/json', 'X-VK-Client': 'web' } });
      return status === 429 ? renew() : status; // the limiter was unavailable (ENV-36)
    })()`;
    const statuses: unknown[] = [];
    for (let round = 0; round < 10; round++)
      statuses.push(...(await Promise.all([tab.page.evaluate(renew), second.page.evaluate(renew)])));
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    await second.page.reload();
    await second.waitUntilSignedIn();
  });

  it('AUTH-28: log out together, which invalidates the access tokens of both', async () => {
    await tab.signUp();
    const second = await SignInPage.openIn(context, running);
    await second.waitUntilSignedIn();
    const tokens = [await tab.lastAccessToken(), await second.lastAccessToken()];
    for (const token of tokens) expect((await me(token)).status).toBe(200);
    await tab.button('Log out').click();
    await tab.waitUntilSignedOut();
    for (const token of tokens) expect((await me(token)).status).toBe(401);
    await second.waitUntilSignedOut();
    expect(await refreshCookie()).toBeUndefined();
    await tab.page.reload();
    await tab.waitUntilSignedOut();
  });
});

describe('A failing sign-in', () => {
  it('OPEN-47: rejects an answer that this tab did not request', async () => {
    await tab.page.goto(`${running.identity_url}/signin?code=stolen&state=other`);
    await tab.page
      .getByRole('alert')
      .getByText('That answer belongs to another sign-in. Sign in again.')
      .waitFor();
    expect(tab.page.url()).toBe(`${running.identity_url}/signin`);
    expect((await tab.allAnswers()).map(({ path }) => path)).not.toContain('/v1/auth/identity/token');
  });

  it('OPEN-47: reports that the API does not answer, and succeeds once it does', async () => {
    await context.route(`${running.api_url}/**`, (route) => route.abort());
    await tab.page.reload();
    await tab.page.getByRole('alert').getByText('does not answer').waitFor();
    await context.unroute(`${running.api_url}/**`);
    await tab.signUp();
  });
});

describe('A momentary failure of the rate limiter', () => {
  it('ENV-36: is retried by the page without a message', async () => {
    const readable = {
      'Access-Control-Allow-Origin': running.identity_url,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': 'Retry-After',
    };
    const refusal = { status: 429, headers: { 'Retry-After': '1', ...readable } };
    let refusals = 2;
    await context.route(`${running.api_url}/**`, (route) =>
      route.request().method() === 'POST' && refusals-- > 0 ? route.fulfill(refusal) : route.continue(),
    );
    await tab.page.reload();
    await tab.waitUntilSignedOut();
    expect(refusals).toBeLessThan(0); // both refusals were answered, and a later request succeeded
    expect(await tab.page.getByRole('alert').count()).toBe(0); // an alert without text does not count
  });
});

describe('A person without a mouse', () => {
  it('AUTH-36: signs in, names the organization, refreshes and logs out by keyboard', async () => {
    const { keyboard } = tab.page;
    const email = newAddress();
    await tab.button('Sign in').waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await tab.heading('Who are you?').waitFor();
    // The first field gets the focus when the page is painted.
    await tab.page.locator('input:focus').waitFor();
    await keyboard.type(email);
    await keyboard.press('Enter');
    await tab.heading('Name your organization').waitFor();
    await keyboard.type('Keys Only');
    await keyboard.press('Enter');
    await tab.waitUntilSignedIn();
    expect(await tab.field('organization')).toBe('Keys Only');
    expect(await tab.page.evaluate('document.activeElement.textContent')).toBe('You are signed in');
    await keyboard.press('Tab');
    const renewed = tab.waitForRefresh();
    await keyboard.press('Space');
    expect(await renewed).toBe(200);
    await tab.waitUntilIdle();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await tab.waitUntilSignedOut();
    expect(await tab.page.evaluate('document.activeElement.textContent')).toBe('Sign in');
  });
});

describe('OPEN-47: the pages on phone and desktop, light and dark', () => {
  it('fit the screen, can be read, and axe finds nothing wrong', async () => {
    const own = await openContext(browser);
    const there = await SignInPage.openIn(own, running);
    const looks = new Looks('sign-in');
    await there.waitUntilSignedOut();
    await looks.check(there.page, 'signed-out');
    await there.signIn('nobody');
    await there.page.getByRole('alert').waitFor();
    await looks.check(there.page, 'bad-address');
    const address = newAddress();
    const { client } = await signUpOrganization(`${'An inviting organization '.repeat(8)}${'x'.repeat(40)}`);
    succeeded(await client.call(inviteUser, { body: { email: address, role: 'member', seat: 'full' } }));
    await there.page.getByLabel('E-mail address').fill(address);
    await there.button('Continue').click();
    await there.heading('You are invited').waitFor();
    await looks.check(there.page, 'invited');
    await there.button('Found my own organization').click();
    await there.heading('Name your organization').waitFor();
    await looks.check(there.page, 'naming');
    await there.nameOrganization(`${'A very long name of an organization '.repeat(6)}${'x'.repeat(40)}`);
    await there.waitUntilSignedIn();
    await looks.check(there.page, 'signed-in');
    await own.close();
  });
});
