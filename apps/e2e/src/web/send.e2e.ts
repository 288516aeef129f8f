import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { closeContext, launchBrowser, openContext } from '../browser/browser.js';
import { Looks } from '../browser/looks.js';
import { newEmail } from '../sign-in.js';
import { stack } from '../stack.js';
import { WebApp } from './web-app.js';

const { api_url, identity_url } = stack();
const looks = new Looks('web');

let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  browser = await launchBrowser();
});
beforeEach(async () => {
  context = await openContext(browser, {
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
});
afterEach(() => closeContext(context));
afterAll(() => browser.close());

/** A person in Send. */
async function openSend(): Promise<WebApp> {
  const app = await WebApp.openIn(context);
  await app.signUp(newEmail());
  return app;
}

describe('a new person in the web application', () => {
  it('SPK-25: sends the first secret within eight interactions, and the browser keeps nothing of it', async () => {
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
    await app.press('Create link');
    await app.page.getByText(/larger files need a vault/).waitFor();
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

  it('keeps what was typed when the person looks elsewhere, and asks before the page is closed', async () => {
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

  it('says that the network is lost, keeps what was typed, and goes on', async () => {
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

  it('says that a release has replaced the files of a place, and reloads nothing by itself', async () => {
    const app = await openSend();
    await app.page.route('**/web/sent-place-*', (route) => route.fulfill({ status: 404 }));
    await app.type('Your secret', 'half typed');
    await app.place('Sent').click();
    await app.heading('There is a new version of this page').waitFor();
    await looks.check(app.page, 'new-release');
    await app.place('Send').click();
    expect(await app.field('Your secret').inputValue()).toBe('half typed');
  });

  it('is used with the keyboard alone, and the focus is never lost', async () => {
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
  it('lists a secret, and withdraws it once that was confirmed', async () => {
    const app = await openSend();
    await app.type('Your secret', 'soon gone');
    await app.press('Create link');
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
    await app.page.getByText('Nothing was sent').waitFor();
    expect(app.errors).toEqual([]);
  });
});
