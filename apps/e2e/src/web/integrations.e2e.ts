import { describe, expect, it } from '@jest/globals';
import { inviteUser } from '@vaultsvc/contracts/auth';
import { connectChatapp } from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { joinOrganization, newEmail, signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';
import { useContext } from './use-context.js';
import { WebApp } from './web-app.js';

const { api_url } = stack();
const looks = new Looks('web-integrations');

let context: BrowserContext;
useContext((own) => (context = own));

const card = (app: WebApp, name: RegExp) => app.page.getByRole('region', { name });
const chat = (app: WebApp) => card(app, /chat/i);

describe('Integrations in the web application', () => {
  it('CHT-03 CHT-04: connects the chat, shows since when and by whom, and disconnects it', async () => {
    const email = newEmail();
    const app = await WebApp.openIn(context);
    await app.signUp(email);
    await app.place('Integrations').click();
    await chat(app).getByText('Not connected').waitFor();
    await looks.check(app.page, 'none');
    await chat(app).getByRole('button', { name: 'Connect' }).click();
    await looks.check(app.page, 'connect');
    await app.inDialog('Go on to the provider').click();
    await app.page.getByText('It was connected.').waitFor();
    await chat(app).getByText('Connected', { exact: true }).waitFor();
    await chat(app).getByText(email).waitFor();
    await chat(app).getByText('0 secrets sent, 0 viewed').waitFor();
    expect(app.page.url()).toBe(`${api_url}/app/integrations`);
    expect(await app.kept()).not.toMatch(/code=|vaultsvc-connection/);
    await looks.check(app.page, 'connected');
    await chat(app).getByRole('button', { name: 'Usage by person' }).click();
    await app.page.getByText('Nobody has sent or viewed a secret in these days.').waitFor();
    await looks.check(app.page, 'usage');
    await app.press('Close');
    await chat(app).getByRole('button', { name: 'Disconnect' }).click();
    await looks.check(app.page, 'disconnect');
    await app.inDialog('Disconnect').click();
    await chat(app).getByText('Not connected').waitFor();
    await app.page.locator('h1:focus').waitFor();
    expect(app.errors).toEqual([]);
  });

  it('OPEN-38: connects a CRM with a vault, and shows the session secret of its org once', async () => {
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.place('Integrations').click();
    const crm = card(app, /CRM B/);
    await crm.getByRole('button', { name: 'Connect' }).click();
    await app.page.getByText('your organization has none yet', { exact: false }).waitFor();
    await looks.check(app.page, 'no-vault');
    await app.page.getByRole('link', { name: 'Create a vault' }).click();
    await app.type('Name', 'Customers');
    await app.press('Create vault');
    const key = await app.page.getByLabel('Master key').innerText();
    await app.press('I have kept it');
    await app.type('Enter the last 6 characters of the key', key.slice(-6));
    await app.press('Continue');
    await app.page.getByLabel('Key of the vault').waitFor();
    await app.place('Integrations').click();
    await crm.getByRole('button', { name: 'Connect' }).click();
    await app.page.getByLabel('Vault for the files').selectOption({ label: 'Customers' });
    await looks.check(app.page, 'choose-vault');
    await app.inDialog('Go on to the provider').click();
    await app.heading('Keep this secret now').waitFor();
    await looks.check(app.page, 'secret');
    const secret = await app.page.getByLabel('Session secret of', { exact: false }).innerText();
    expect(await app.kept()).not.toContain(secret);
    await app.press('I have kept it');
    expect(await app.page.content()).not.toContain(secret);
    await app.type('Enter the last 6 characters of the key', secret.slice(-6));
    await app.press('Continue');
    await crm.getByText('Connected', { exact: true }).waitFor();
    await looks.check(app.page, 'crm');
    expect(app.errors).toEqual([]);
  });
});

describe('the page to which a provider leads back', () => {
  it('WEB-03: uses no answer that this tab has not asked for, and none without consent', async () => {
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.page.goto(`${api_url}/app/integrations/chatapp/return?code=theirs&state=theirs`);
    await app.page.getByText('This tab has not asked for this connection', { exact: false }).waitFor();
    await looks.check(app.page, 'foreign');
    expect(app.page.url()).toBe(`${api_url}/app/integrations/chatapp/return`);
    expect(app.requests.filter((url) => url.includes('/oauth/callback'))).toEqual([]);
    await app.page.getByRole('link', { name: 'Back to Integrations' }).click();
    await chat(app).getByRole('button', { name: 'Connect' }).click();
    await app.page.route(/\/oauth\/start$/, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const denied = `${api_url}/app/integrations/chatapp/return?error=access_denied&state=${answer.data.state}`;
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, authorize_url: denied } } });
    });
    await app.inDialog('Go on to the provider').click();
    await app.page.getByText('The page of the provider was left without consent.').waitFor();
    expect(app.errors).toEqual([]);
  });
});

describe('a member in Integrations', () => {
  it('WEB-06: sees what is connected, and nothing to change it', async () => {
    const { client } = await signUpOrganization('Laundry & Söhne');
    const body = { code: `local-ok-${newId('code_')}`, redirect_uri: 'https://app.example.com/callback' };
    succeeded(await client.call(connectChatapp, { body }));
    const email = newEmail();
    succeeded(await client.call(inviteUser, { body: { email, role: 'member', seat: 'full' } }));
    await joinOrganization({ email });
    const app = await WebApp.openIn(context, '/app/integrations');
    await app.signIn(email);
    await chat(app).getByText('Connected', { exact: true }).waitFor();
    await app.page.getByText('Admins and owners connect and disconnect.', { exact: false }).waitFor();
    await looks.check(app.page, 'member');
    expect(await app.page.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Usage by person']);
    await app.page.goto(`${api_url}/app/integrations/chatapp/return`);
    await app.page.getByText('Only admins and owners connect integrations.', { exact: false }).waitFor();
    await looks.check(app.page, 'refused');
    expect(app.errors).toEqual([]);
  });
});
