import { describe, expect, it } from '@jest/globals';
import { inviteUser } from '@vaultsvc/contracts/auth';
import { succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { newEmail, signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';
import { useContext } from './use-context.js';
import { signInAtProvider, WebApp } from './web-app.js';

const { api_url } = stack();
const looks = new Looks('web-session');

let context: BrowserContext;
useContext((own) => (context = own));

/** Ends the session of the cookie behind the back of all tabs. */
async function endSession(): Promise<void> {
  const ended = await context.request.post(`${api_url}/v1/auth/logout`, {
    headers: { 'X-VK-Client': 'web', Origin: api_url },
    data: {},
  });
  expect(ended.status()).toBe(204);
}

describe('OPEN-65: the session of the web application', () => {
  it('WEB-02 AUTH-28: goes on in a second tab and after a reload', async () => {
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    const second = await WebApp.openIn(context, '/app/sent');
    await second.page.getByText('Nothing was sent').waitFor();
    await app.page.reload();
    await app.field('Your secret').waitFor();
    expect([...app.errors, ...second.errors]).toEqual([]);
  });

  it('WEB-02 AUTH-25: ends in all tabs with the button, and begins in all of them with the next sign-in', async () => {
    const email = newEmail();
    const app = await WebApp.openIn(context);
    await app.signUp(email);
    const second = await WebApp.openIn(context, '/app/send');
    await second.type('Your secret', 'left behind');
    await app.press('Sign out');
    for (const tab of [app, second]) await tab.heading('You are signed out').waitFor();
    await looks.check(app.page, 'signed-out');
    expect((await context.cookies()).filter(({ name }) => name === '__Host-vk_refresh')).toEqual([]);
    await app.signIn(email);
    for (const tab of [app, second]) await tab.field('Your secret').waitFor();
    expect(await second.field('Your secret').inputValue()).toBe('');
    expect([...app.errors, ...second.errors]).toEqual([]);
  });

  it('WEB-02 WEB-07 AUTH-26: that has ended keeps the page and its call, which goes on after a sign-in in a window', async () => {
    const email = newEmail();
    const app = await WebApp.openIn(context);
    await app.signUp(email);
    await app.type('Your secret', 'kept through');
    await endSession();
    await app.press('Create link');
    await app.page.getByText('Your session has ended. What you typed stays here.').waitFor();
    expect(await app.field('Your secret').inputValue()).toBe('kept through');
    await looks.check(app.page, 'ended');
    const opening = context.waitForEvent('page');
    await app.press('Sign in again');
    const popup = await opening;
    // The provider asks, or remembers the person: then the window closes by itself, at any moment.
    await signInAtProvider(popup, email).catch((error: unknown) => {
      if (!popup.isClosed()) throw error;
    });
    await app.heading('Your link is ready').waitFor();
    await eventually(
      () => Promise.resolve(popup.isClosed()),
      (isClosed) => isClosed,
    );
    expect(await app.page.getByText('Your session has ended.').count()).toBe(0);
    expect(app.errors).toEqual([]);
  });

  it('WEB-03 AUTH-04: does not begin with an answer that this tab has not asked for', async () => {
    const app = await WebApp.openIn(context, '/console/callback?code=stolen&state=forged');
    await app.page.getByText('This answer belongs to another sign-in.').waitFor();
    expect(app.page.url()).toBe(`${api_url}/app`);
    expect(app.requests.some((url) => url.includes('/v1/auth/identity/token'))).toBe(false);
  });

  it('OPEN-59: joins the organization of an invitation', async () => {
    const { client } = await signUpOrganization('Laundry & Söhne');
    const email = newEmail();
    succeeded(await client.call(inviteUser, { body: { email, role: 'member', seat: 'full' } }));
    const app = await WebApp.openIn(context);
    await app.signIn(email);
    await app.heading('Join an organization').waitFor();
    await looks.check(app.page, 'invited');
    await app.press('Join Laundry & Söhne');
    await app.field('Your secret').waitFor();
    expect(app.errors).toEqual([]);
  });

  it('leads on from an address that is no page', async () => {
    const app = await WebApp.openIn(context, '/app/nowhere');
    await app.signIn(newEmail());
    await app.type('Organization', 'Lost & Found');
    await app.press('Create organization');
    await app.heading('There is no such page').waitFor();
    await looks.check(app.page, 'missing');
    await app.page.getByRole('main').getByRole('link', { name: 'Send' }).click();
    await app.field('Your secret').waitFor();
  });
});
