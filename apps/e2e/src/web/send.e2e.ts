import { describe, expect, it } from '@jest/globals';
import { listSparks, readSpark, unshareSpark } from '@vaultsvc/contracts/sparks';
import { succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { mailsTo } from '../inbox.js';
import { newEmail, signIn } from '../sign-in.js';
import { stack } from '../stack.js';
import { useContext } from './use-context.js';
import { createVault, openVaults, unseal } from './vault-steps.js';
import { WebApp } from './web-app.js';

const { api_url, identity_url, mail_url } = stack();
const looks = new Looks('web');

let context: BrowserContext;
useContext((own) => (context = own), { permissions: ['clipboard-read', 'clipboard-write'] });

/** A person in Send. */
async function openSend(email = newEmail()): Promise<WebApp> {
  const app = await WebApp.openIn(context);
  await app.signUp(email);
  return app;
}

describe('a new person in the web application', () => {
  it('WEB-04 WEB-05 SPK-25: sends the first secret within eight interactions, and the browser keeps nothing of it', async () => {
    const app = await WebApp.openIn(context);
    await app.button('Sign in').waitFor();
    await looks.check(app.page, 'welcome');
    await app.signIn(newEmail());
    await app.field('Organization').waitFor();
    await looks.check(app.page, 'organization');
    await app.type('Organization', 'Ann’s Laundry');
    await app.press('Create organization');
    await app.type('Your secret', 'correct horse 7q');
    await app.press('Create link');
    await app.press('Copy link');
    await app.button('Copied').waitFor();
    expect(app.interactions).toBe(8);
    const link = await app.field('Link').inputValue();
    expect(await app.page.evaluate('navigator.clipboard.readText()')).toBe(link);
    expect(await app.kept()).toBe(
      `["",{},{},"Your link is ready · vaultsvc","${api_url}/app/send",${await stateOf(app)}]`,
    );
    expect(app.requests.filter((url) => url.includes('correct') || url.includes(link))).toEqual([]);
    expect(new Set(app.requests.map((url) => new URL(url).origin))).toEqual(new Set([api_url, identity_url]));
    expect(app.errors).toEqual([]);
    await expectOpensOnce(link, 'correct horse 7q');
  });

  /** Of the router: a key and an index. */
  const stateOf = (app: WebApp) => app.page.evaluate<string>('JSON.stringify(history.state)');

  async function expectOpensOnce(link: string, secret: string) {
    const visitor = await context.newPage();
    await visitor.goto(link);
    await visitor.getByRole('button').first().click();
    await visitor
      .getByText(secret)
      .or(visitor.getByRole('button', { name: 'Show' }))
      .first()
      .waitFor();
    await visitor.close();
    const again = await context.newPage();
    await again.goto(link);
    await again.getByRole('heading', { name: /used|opened|gone|no longer/i }).waitFor();
  }
});

describe('Send in the web application', () => {
  it('says that a secret ends with a space, and sends it exactly as typed', async () => {
    const app = await openSend();
    await app.type('Your secret', 'pass word ');
    await app.page.getByText('Your secret ends with a space or an empty line.').waitFor();
    await app.press('Create link');
    await app.heading('Your link is ready').waitFor();
    const opened = await context.request.post(`${await app.field('Link').inputValue()}/burn`, { data: {} });
    expect(await opened.json()).toMatchObject({ payload: 'pass word ', content_type: 'text/plain' });
    expect(app.errors).toEqual([]);
  });

  it('SPK-02: sends a small file, and says that a larger one needs a vault', async () => {
    const app = await openSend();
    await app.page.getByText('File', { exact: true }).click();
    const choose = (bytes: number) =>
      app.page.locator('input[type=file]').setInputFiles({
        name: 'key.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.alloc(bytes, 1),
      });
    await choose(192_001);
    await app.page.getByText(/larger files need a vault/).waitFor();
    expect(await app.button('Create link').count()).toBe(0);
    await looks.check(app.page, 'send-file');
    await choose(192_000);
    await app.press('Create link');
    await app.heading('Your link is ready').waitFor();
    expect(app.errors).toEqual([]);
  });

  it('SPK-40: invites one person, whose address it names in Sent', async () => {
    const app = await openSend();
    const recipient = newEmail();
    await app.type('Your secret', 'for one');
    await app.page.getByText('One person', { exact: true }).click();
    await app.press('Create link');
    await app.page.getByText('Enter who can open it.').waitFor();
    await looks.check(app.page, 'send-one-person');
    await app.field('E-mail address or phone number').fill(recipient);
    await app.press('Create link');
    await app.page.getByText(`An invitation is on its way to ${recipient}.`, { exact: false }).waitFor();
    await app.place('Sent').click();
    await app.page.getByText(`Only ${recipient}`, { exact: false }).waitFor();
    expect(app.errors).toEqual([]);
  });

  it('WEB-07 SPK-40: leaves no secret behind that could not be shared', async () => {
    const refusal = { code: 'VALIDATION_ERROR', message: 'This address is refused.', details: {} };
    await context.route(
      '**/v1/sparks/*/share',
      (route) => route.fulfill({ status: 400, json: { error: refusal, meta: { request_id: 'req_1' } } }),
      { times: 1 },
    );
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.type('Your secret', 'correct horse');
    await app.page.getByText('One person', { exact: true }).click();
    await app.field('E-mail address or phone number').fill('nonsense');
    await app.press('Create link');
    await app.page.getByText('Enter an e-mail address, or a phone number', { exact: false }).waitFor();
    await app.field('E-mail address or phone number').fill(newEmail());
    await app.press('Create link');
    await app.page.getByText('This address is refused.').waitFor();
    await app.field('E-mail address or phone number').fill(newEmail());
    await app.press('Create link');
    await app.heading('Your link is ready').waitFor();
    await app.place('Sent').click();
    const rows = app.page.getByRole('list', { name: 'Secrets' }).getByRole('listitem');
    await rows.getByText('Waiting').first().waitFor();
    expect(await rows.getByRole('button', { name: 'Withdraw' }).count()).toBe(1);
    expect(app.errors).toEqual([]);
  });

  it('WEB-07: keeps what was typed when the person looks elsewhere, and asks before the page is closed', async () => {
    const app = await openSend();
    await app.type('Your secret', 'half a sent');
    await app.place('Sent').click();
    await app.page.getByText('Nothing was sent').waitFor();
    expect(await app.focused()).toBe('Sent');
    await looks.check(app.page, 'sent-empty');
    await app.page.goBack();
    expect(await app.field('Your secret').inputValue()).toBe('half a sent');
    const asked = app.page.waitForEvent('dialog');
    await app.page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
  });

  it('WEB-07: says that the network is lost, keeps what was typed, and goes on', async () => {
    const app = await openSend();
    await app.type('Your secret', 'in a tunnel');
    await app.page.route('**/share', (route) => route.abort());
    await app.press('Create link');
    await app.page.getByText('There was no answer. Check your internet connection.').waitFor();
    await looks.check(app.page, 'send-failed');
    expect(await app.field('Your secret').inputValue()).toBe('in a tunnel');
    await app.page.unroute('**/share');
    await app.press('Create link');
    await app.heading('Your link is ready').waitFor();
    const created = app.requests.filter((url) => url.endsWith('/v1/sparks'));
    expect(created).toHaveLength(1);
  });

  it('WEB-10: says that a release has replaced the files of a place, and reloads nothing by itself', async () => {
    const app = await openSend();
    await app.page.route('**/web/sent-place-*', (route) => route.fulfill({ status: 404 }));
    await app.type('Your secret', 'half typed');
    await app.place('Sent').click();
    await app.heading('There is a new version of this page').waitFor();
    await looks.check(app.page, 'new-release');
    await app.place('Send').click();
    expect(await app.field('Your secret').inputValue()).toBe('half typed');
  });

  it('WEB-09: is used with the keyboard alone, and the focus is never lost', async () => {
    const app = await openSend();
    await app.type('Your secret', 'by keys');
    for (let steps = 0; steps < 10 && (await app.focused()) !== 'Create link'; steps += 1)
      await app.page.keyboard.press('Tab');
    await app.page.keyboard.press('Enter');
    await app.heading('Your link is ready').waitFor();
    expect(await app.focused()).toBe('Your link is ready');
    for (let steps = 0; steps < 10 && (await app.focused()) !== 'Show QR code'; steps += 1)
      await app.page.keyboard.press('Tab');
    await app.page.keyboard.press('Enter');
    await app.page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    expect(await app.focused()).toBe('Hide QR code');
    await looks.check(app.page, 'result');
    await app.page.keyboard.press('Tab');
    await app.page.keyboard.press('Enter');
    await app.heading('Leave this link?').waitFor();
    await app.page.keyboard.press('Escape');
    expect(await app.focused()).toBe('Send another');
    expect(app.errors).toEqual([]);
  });
});

describe('Sent in the web application', () => {
  /** A secret for one person, whose row in Sent has a button `again`. */
  async function openSentTo(recipient: string, email?: string) {
    const app = await openSend(email);
    await app.type('Your secret', 'for one');
    await app.page.getByText('One person', { exact: true }).click();
    await app.field('E-mail address or phone number').fill(recipient);
    await app.press('Create link');
    await app.heading('Your link is ready').waitFor();
    const link = await app.field('Link').inputValue();
    await app.place('Sent').click();
    const row = app.page.getByRole('listitem').filter({ hasText: `Only ${recipient}` });
    return { app, link, again: row.getByRole('button', { name: 'Send the invitation again' }) };
  }

  it('SPK-54: sends the invitation again, and says to whom', async () => {
    const recipient = newEmail();
    const { app, link, again } = await openSentTo(recipient);
    await again.click();
    await app.page.getByText(`The invitation was sent again to ${recipient}.`).waitFor();
    await looks.check(app.page, 'sent-invitation');
    const mails = await eventually(
      () => mailsTo(mail_url, recipient),
      ({ length }) => length >= 2,
    );
    expect(mails.map(({ text }) => text.includes(link))).toEqual([true, true]);
    expect(app.errors).toEqual([]);
  });

  it('SPK-54: says that the link has no invitation any more, and that the secret was opened', async () => {
    const email = newEmail();
    const { app, again } = await openSentTo(newEmail(), email);
    await again.waitFor();
    const { client } = await signIn({ email });
    const { sparks } = succeeded(await client.call(listSparks, { query: { limit: 10 } }));
    const params = { spark_id: sparks[0]?.spark_id ?? '' };
    succeeded(await client.call(unshareSpark, { params }));
    await again.click();
    await app.page.getByText('This link has no invitation that can be sent again.').waitFor();
    succeeded(await client.call(readSpark, { params }));
    await again.click();
    await app.page.getByText('This Spark has been burned.').waitFor();
    expect(app.errors).toEqual([]);
  });

  it('lists a secret that Ctrl-Enter has sent, and withdraws it once that was confirmed', async () => {
    const app = await openSend();
    await app.type('Your secret', 'soon gone');
    await app.page.keyboard.press('Control+Enter');
    await app.heading('Your link is ready').waitFor();
    const link = await app.field('Link').inputValue();
    await app.place('Sent').click();
    const rows = app.page.getByRole('list', { name: 'Secrets' }).getByRole('listitem');
    await rows.filter({ hasText: 'Waiting, 24 hours left' }).waitFor();
    await looks.check(app.page, 'sent');
    await app.press('Copy link');
    await app.page.getByText('Copied. Your system').waitFor();
    expect(await app.page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await app.press('Withdraw');
    await app.heading('Withdraw this secret?').waitFor();
    await looks.check(app.page, 'withdraw');
    await app.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await rows
      .filter({ hasText: /Withdrawn \d/ })
      .filter({ hasText: 'Withdrawn by' })
      .waitFor();
    await looks.check(app.page, 'sent-withdrawn');
    expect(await rows.getByRole('button').count()).toBe(0);
    expect(app.errors).toEqual([]);
  });

  it('WEB-16 SHR-12 LNK-08: lists a link of a file, and withdraws it; the file stays in its vault', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    await unseal(app, key);
    await app.page
      .locator('input[type=file][multiple]')
      .setInputFiles({ name: 'contract.txt', mimeType: 'text/plain', buffer: Buffer.from('signed') });
    await app.button('contract.txt').click();
    await app.press('Share');
    await app.press('Create link');
    const link = await app.page.getByLabel('Link', { exact: true }).innerText();
    await app.press('Close');
    await app.place('Sent').click();
    const rows = app.page.getByRole('list', { name: 'Secrets' }).getByRole('listitem');
    await rows
      .filter({ hasText: 'Link to a file of a vault' })
      .filter({ hasText: 'Waiting, 24 hours left' })
      .waitFor();
    await looks.check(app.page, 'sent-file-link');
    await app.press('Withdraw');
    await app.heading('Withdraw this link?').waitFor();
    await looks.check(app.page, 'withdraw-file-link');
    await app.inDialog('Withdraw').click();
    await rows
      .filter({ hasText: /Withdrawn \d/ })
      .filter({ hasText: 'Withdrawn by' })
      .waitFor();
    expect(await rows.getByRole('button').count()).toBe(0);
    expect((await context.request.post(`${link}/open`, { data: {} })).status()).toBe(403);
    expect(await app.kept()).not.toContain(new URL(link).pathname);
    await app.page.getByRole('link', { name: 'Open the vault' }).click();
    await app.button('contract.txt').waitFor();
    expect(app.errors).toEqual([]);
  });
});
