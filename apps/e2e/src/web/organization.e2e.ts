import { describe, expect, it } from '@jest/globals';
import { readAccount, readSettings } from '@vaultsvc/contracts/auth';
import { api, succeeded } from '@vaultsvc/testing/http';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { newEmail, signIn } from '../sign-in.js';
import { stack } from '../stack.js';
import { useContext } from './use-context.js';
import { WebApp } from './web-app.js';

const { api_url } = stack();
const looks = new Looks('web-organization');

let context: BrowserContext;
useContext((own) => (context = own), { permissions: ['clipboard-read', 'clipboard-write'] });

/** A new owner in a place. */
async function openPlace(name: string): Promise<WebApp> {
  const app = await WebApp.openIn(context);
  await app.signUp(newEmail());
  await app.place(name).click();
  await app.heading(name).waitFor();
  return app;
}

describe('API keys in the web application', () => {
  it('WEB-08 KEY-13: shows a key until it was kept, and the next call with it is refused once it is revoked', async () => {
    const app = await openPlace('API keys');
    await app.page.getByText('There is no API key.', { exact: false }).waitFor();
    await looks.check(app.page, 'no-keys');
    await app.press('Create key');
    await app.type('Name', 'Backup job');
    await looks.check(app.page, 'create-key');
    await app.inDialog('Create key').click();
    await app.heading('Keep this key now').waitFor();
    await looks.check(app.page, 'new-key');
    await app.press('Copy key');
    await app.page.getByText('Copied.', { exact: false }).waitFor();
    const key = await app.page.evaluate<string>('navigator.clipboard.readText()');
    await app.press('I have kept it');
    expect(await app.page.content()).not.toContain(key);
    await app.type('Enter the last 6 characters of the key', 'wrong!');
    await app.press('Continue');
    await app.page.getByText('These are other characters.', { exact: false }).waitFor();
    await looks.check(app.page, 'key-check');
    await app.field('Enter the last 6 characters of the key').fill(key.slice(-6));
    await app.press('Continue');
    const program = api(api_url, { key });
    succeeded(await program.call(readAccount, {}));
    expect(await app.kept()).not.toContain(key);
    await looks.check(app.page, 'keys');
    await app.page.getByRole('button', { name: 'Revoke: Backup job' }).click();
    await app.inDialog('Revoke').click();
    await app.page.getByText('Revoked', { exact: true }).waitFor();
    expect((await program.call(readAccount, {})).status).toBe(401);
    expect(app.errors).toEqual([]);
  });
});

describe('Domains in the web application', () => {
  it('DOM-09: copies host and value apart, and says what a check saw and what it expects', async () => {
    const app = await openPlace('Domains');
    const domain = `${newEmail().replace(/[^a-z0-9]/gi, '')}.example`.toLowerCase().slice(-60);
    await app.field('Domain').fill(domain);
    await app.press('Show the DNS record');
    await app.press('Copy host');
    expect(await app.page.evaluate('navigator.clipboard.readText()')).toBe(`_vaultsvc.${domain}`);
    await app.press('Copy value');
    const value = await app.page.evaluate<string>('navigator.clipboard.readText()');
    expect(value).toMatch(/^vaultsvc-domain-verification=/);
    await app.press('Check and claim');
    await app.page.getByText('The record was not found').waitFor();
    const finding = app.page.getByRole('alert');
    await finding.getByText(`TXT _vaultsvc.${domain}`).waitFor();
    await finding.getByText(value).waitFor();
    await looks.check(app.page, 'domain-not-found');
    await app.place('People').click();
    await app.place('Domains').click();
    await app.button('Check and claim').waitFor();
    expect(app.errors).toEqual([]);
  });
});

describe('Settings in the web application', () => {
  it('OPEN-33: renames the organization and has links ask first', async () => {
    const email = newEmail();
    const app = await WebApp.openIn(context);
    await app.signUp(email);
    await app.place('Settings').click();
    await app.field('Name').fill('Ann & Sons');
    await app.press('Save');
    await app.page.getByRole('region', { name: 'Your account' }).getByText('Ann & Sons').waitFor();
    await app.page.getByRole('switch', { name: 'Ask before a link opens' }).click();
    await app.page.getByRole('switch', { name: 'Ask before a link opens', checked: true }).waitFor();
    await looks.check(app.page, 'settings');
    const { client } = await signIn({ email });
    expect(succeeded(await client.call(readAccount, {})).organization_name).toBe('Ann & Sons');
    expect(succeeded(await client.call(readSettings, {})).settings).toEqual({ links_ask_first: true });
    expect(app.errors).toEqual([]);
  });
});

describe('the profile in the web application', () => {
  it('AUTH-25: names the person, ends a session elsewhere, and signs out everywhere', async () => {
    const email = newEmail();
    const app = await WebApp.openIn(context);
    await app.signUp(email);
    const { client } = await signIn({ email });
    await app.page.getByRole('region', { name: 'Your account' }).getByRole('link').click();
    await app.field('Your name').fill('Ann Example');
    await app.press('Save');
    await app.page.getByText('Your name was saved.').waitFor();
    await looks.check(app.page, 'profile');
    await app.page.getByRole('listitem').filter({ hasText: 'Program' }).getByRole('button').click();
    await app.inDialog('End').click();
    await app.page.getByRole('listitem').filter({ hasText: 'Program' }).waitFor({ state: 'detached' });
    expect((await client.call(readAccount, {})).status).toBe(401);
    const elsewhere = await signIn({ email });
    await app.press('Sign out everywhere');
    await app.inDialog('Sign out everywhere').click();
    await app.heading('You are signed out').waitFor();
    expect((await elsewhere.client.call(readAccount, {})).status).toBe(401);
    expect(app.errors).toEqual([]);
  });
});

describe('the command palette', () => {
  it('WEB-09: leads to places and actions by the keyboard alone, and a new organization to its first steps', async () => {
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.heading('First steps for your organization').waitFor();
    await looks.check(app.page, 'first-steps');
    await app.page.keyboard.press('Control+k');
    await app.page.getByRole('combobox').waitFor();
    await looks.check(app.page, 'palette');
    await app.page.keyboard.insertText('sett');
    await app.page.keyboard.press('Enter');
    await app.page.locator('h1:focus', { hasText: 'Settings' }).waitFor();
    await app.page.keyboard.press('Control+k');
    await app.page.getByRole('combobox').waitFor();
    await app.page.keyboard.insertText('person inv');
    await app.page.keyboard.press('Enter');
    await app.field('E-mail address').and(app.page.locator(':focus')).waitFor();
    await app.page.keyboard.press('Escape');
    await app.page.locator('h1:focus', { hasText: 'People' }).waitFor();
    expect(app.page.url()).toBe(`${api_url}/app/people`);
    expect(app.errors).toEqual([]);
  });
});
