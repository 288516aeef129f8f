import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { inviteUser } from '@vaultsvc/contracts/auth';
import {
  listSends,
  readConfig,
  readPreferences,
  readSend,
  sendNotification,
} from '@vaultsvc/contracts/notify';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { joinOrganization, newEmail, signIn, signUpOrganization } from '../sign-in.js';
import { useContext } from './use-context.js';
import { WebApp } from './web-app.js';

const looks = new Looks('web-notifications');
const INBOX = '**/v1/products/notify/inbox*';

let context: BrowserContext;
useContext((own) => (context = own));

/** A new owner in Notifications, with the same person's client of the API. */
async function openNotifications(): Promise<{ app: WebApp; email: string; client: Api }> {
  const email = newEmail();
  const app = await WebApp.openIn(context);
  await app.signUp(email);
  await app.place('Notifications').click();
  await app.page.getByText('Your organization has sent no notification yet.').waitFor();
  const { client } = await signIn({ email });
  return { app, email, client };
}

const link = (app: WebApp, name: string) =>
  app.page.getByRole('main').getByRole('link', { name, exact: true });
const text = (app: WebApp, part: string) => app.page.getByText(part, { exact: false }).first();

/** Fills in a notification to the addresses, by the keyboard where a person would use it. */
async function compose(app: WebApp, addresses: readonly string[], action = 'To read it'): Promise<void> {
  await link(app, 'Notify people').click();
  for (const address of addresses) {
    await app.type('Add a recipient', address);
    await app.page.keyboard.press('Enter');
    await app.button(`Remove ${address}`).waitFor();
  }
  await app.field('Subject (optional)').fill('Your contract');
  await app.field('Sealed content').fill('the sealed contract');
  await app.page.getByLabel('What you ask for').selectOption({ label: action });
}

/** Opens the link as its recipient, and signs the content. */
async function signAtLink(client: Api, send_id: string, recipient: string): Promise<void> {
  const { recipient_states } = succeeded(await client.call(readSend, { params: { send_id } }));
  const url = recipient_states.find((state) => state.recipient === recipient)?.link_url ?? '';
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { interaction: { interaction_token: string; action_hash: string } };
  };
  const { interaction } = await post('burn', { confirmed: true });
  const { interaction_token, action_hash } = interaction;
  await post('interact', { interaction_token, action_hash, action: 'sign' });
}

describe('Notifications in the web application', () => {
  it('NTF-01 NTF-38 NTF-45: notifies two people, and verifies what one of them signed', async () => {
    const { app, client } = await openNotifications();
    await looks.check(app.page, 'empty');
    const [ann, ben] = [newEmail(), newEmail()];
    await compose(app, [ann, ben], 'To sign it');
    await app.page.getByText('The receipt will not prove who it was', { exact: false }).waitFor();
    await looks.check(app.page, 'compose');
    await app.press('Preview');
    await app.heading('Check before you send').waitFor();
    await app.page.getByRole('region', { name: 'Preview: E-mail' }).getByText(ann).first().waitFor();
    expect(await app.page.content()).not.toContain('the sealed contract');
    await looks.check(app.page, 'preview');
    await app.press('Send to 2 people');
    await app.heading('Your contract').waitFor();
    await text(app, 'Sent, not opened yet').waitFor();
    await looks.check(app.page, 'sent');

    const [send] = succeeded(await client.call(listSends, { query: { limit: 50 } })).sends;
    await signAtLink(client, send?.send_id ?? '', ann);
    const verify = app.button(`Verify: Signed, ${ann}`);
    await verify.click();
    await app.page.getByRole('dialog').getByText('The receipt is genuine').waitFor();
    await looks.check(app.page, 'genuine');
    await app.inDialog('Close').click();
    await app.page.getByText('Verified', { exact: true }).waitFor();
    await looks.check(app.page, 'receipts');
    const [download] = await Promise.all([
      app.page.waitForEvent('download'),
      app.button(`Download: Signed, ${ann}`).click(),
    ]);
    const file = readFileSync(await download.path(), 'utf8');

    await link(app, 'All notifications').click();
    await looks.check(app.page, 'list');
    await link(app, 'Check a receipt').click();
    const { jws } = JSON.parse(file) as { jws: string };
    const [head, claims, signature = ''] = jws.split('.');
    const other = signature.startsWith('A') ? 'B' : 'A';
    await app.type('Receipt', `${head}.${claims}.${other}${signature.slice(1)}`);
    await app.press('Check');
    await text(app, 'it was changed after it was signed').waitFor();
    await looks.check(app.page, 'changed-receipt');
    await app.field('Receipt').fill(file);
    await app.press('Check');
    await text(app, 'The receipt is genuine').waitFor();
    expect(await app.kept()).not.toContain('the sealed contract');
    expect(app.requests.filter((url) => url.includes(encodeURIComponent(ann)))).toEqual([]);
    expect(app.errors).toEqual([]);
  });

  it('WEB-07 NTF-21: sends nothing twice when the answer is lost, and refuses a wrong address', async () => {
    const { app, client } = await openNotifications();
    await link(app, 'Notify people').click();
    await app.type('Add a recipient', 'ann at example');
    await app.page.keyboard.press('Enter');
    await text(app, '“ann at example” is no e-mail address').waitFor();
    await looks.check(app.page, 'wrong-recipient');
    await app.field('Add a recipient').fill('');
    await app.place('Notifications').click();
    await compose(app, [newEmail()]);
    await app.page.getByText('More settings').click();
    await app.page.getByText('Choose for this notification').click();
    await app.press('Add a reminder');
    await app.page.getByLabel('Step 2, if unopened, after').selectOption({ label: '15 minutes' });
    await looks.check(app.page, 'own-channels');
    await app.press('Preview');
    await text(app, 'Step 2: 15 minutes later, to those who have not opened').waitFor();
    let isLost = false;
    await app.page.route('**/v1/products/notify/send', async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await app.press('Send to 1 person');
    await text(app, 'Nothing was sent twice.').waitFor();
    expect(succeeded(await client.call(listSends, { query: { limit: 50 } })).count).toBe(1);
  });

  it('WEB-15: says that the list could not be read, and reads it again', async () => {
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.page.route(INBOX, (route) => route.fulfill({ status: 500, json: {} }));
    await app.place('Notifications').click();
    await app.button('Try again').waitFor();
    await looks.check(app.page, 'failed');
    await app.page.unroute(INBOX);
    await app.press('Try again');
    await text(app, 'Your organization has sent no notification yet.').waitFor();
  });
});

describe('the own notifications in the web application', () => {
  it('NTF-35: switches channels, categories and quiet hours', async () => {
    const { app, email, client } = await openNotifications();
    await link(app, 'For me').click();
    await app.page.getByRole('switch', { name: 'E-mail' }).click();
    await app.page.getByRole('switch', { name: 'E-mail', checked: false }).waitFor();
    await app.field('Category').fill('news');
    await app.press('Switch off');
    await app.button('Switch on again: news').waitFor();
    await app.page.getByRole('switch', { name: 'Have reminders wait' }).click();
    await app.page.getByLabel('From').selectOption('21:00');
    await app.press('Save');
    await text(app, 'Saved.').waitFor();
    await looks.check(app.page, 'preferences');
    const params = { recipient_id: email };
    expect(succeeded(await client.call(readPreferences, { params }))).toMatchObject({
      channels_off: ['email'],
      categories_off: [{ category: 'news', channel: null }],
      quiet_hours: { from: '21:00', to: '07:00' },
    });
    expect(app.errors).toEqual([]);
  });
});

describe('the configuration of notifications in the web application', () => {
  it('WEB-08 NTF-42: is changed by an owner, and shows the secret of the webhook once', async () => {
    const { app, client } = await openNotifications();
    await link(app, 'Configuration').click();
    await app.page.getByRole('switch', { name: 'Send reminders' }).click();
    await app.page.getByRole('main').getByRole('button', { name: 'Save' }).click();
    await text(app, 'The configuration was saved.').waitFor();
    await app.press('Set: Webhook');
    await app.type('Address', 'https://hooks.example.com/secret-path');
    await app.inDialog('Save').click();
    const secret = app.page.getByLabel('Signing secret of the webhook');
    await secret.waitFor();
    await looks.check(app.page, 'webhook-secret');
    await app.page.keyboard.press('Escape');
    await secret.waitFor();
    const value = (await secret.textContent()) ?? '';
    expect(value).toMatch(/^whsec_/);
    await app.inDialog('I have kept it').click();
    await app.field('Enter the last 6 characters of the key').fill(value.slice(-6));
    await app.inDialog('Continue').click();
    await app.button('New signing secret: Webhook').waitFor();
    await looks.check(app.page, 'configuration');
    expect(succeeded(await client.call(readConfig, {})).delivery.escalation_enabled).toBe(false);
    expect(await app.kept()).not.toContain(value);
    expect(app.errors).toEqual([]);
  });

  it('WEB-06 OPEN-34: is refused to a member', async () => {
    const { client } = await signUpOrganization('Laundry & Söhne');
    const email = newEmail();
    succeeded(await client.call(inviteUser, { body: { email, role: 'member', seat: 'full' } }));
    await joinOrganization({ email });
    const app = await WebApp.openIn(context, '/app/notifications/configuration');
    await app.signIn(email);
    await app.heading('You cannot use this').waitFor();
    await looks.check(app.page, 'configuration-refused');
    expect(await link(app, 'Configuration').count()).toBe(0);
    expect(app.errors).toEqual([]);
  });
});

describe('the live feed in the web application', () => {
  const sendTo = async (client: Api, email: string, title: string) => {
    const body = { recipients: [email], content: { payload: 'hello' }, channels: ['websocket'], title };
    succeeded(await client.call(sendNotification, { body: body as never }));
  };

  it('NTF-44: shows what arrives, and goes on after the page was left', async () => {
    const { app, email, client } = await openNotifications();
    await link(app, 'Live feed').click();
    await text(app, 'No notification was sent by the channel Live feed yet.').waitFor();
    await looks.check(app.page, 'feed-empty');
    await sendTo(client, email, 'First');
    await link(app, 'Open: First').waitFor();
    await app.place('People').click();
    await app.heading('People').waitFor();
    await sendTo(client, newEmail(), 'Second');
    await app.place('Notifications').click();
    await link(app, 'Live feed').click();
    await link(app, 'Status: Second').waitFor();
    expect(await link(app, 'Status: First').count()).toBe(1);
    expect(await link(app, 'Open: Second').count()).toBe(0);
    await looks.check(app.page, 'feed');
    expect(app.errors).toEqual([]);
  });

  it('reads what was sent while there is no socket', async () => {
    await context.routeWebSocket(/\/notify\/socket/, (socket) => void socket.close());
    const { app, client } = await openNotifications();
    await sendTo(client, newEmail(), 'Third');
    await link(app, 'Live feed').click();
    await link(app, 'Third').waitFor();
    await text(app, 'Not connected.').waitFor();
    await looks.check(app.page, 'feed-waiting');
  });
});
