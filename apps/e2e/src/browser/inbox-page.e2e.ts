import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import type { Browser, Page } from 'playwright-core';
import { startInbox } from '../../../../tools/mail/server.ts';
import { launchBrowser, openContext } from './browser.js';
import { Looks } from './looks.js';

const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 800 };

let browser: Browser;
/** Not that of the stack, whose messages other tests read. */
let inbox: Awaited<ReturnType<typeof startInbox>>;
beforeAll(async () => {
  [browser, inbox] = await Promise.all([
    launchBrowser(),
    startInbox({ httpPort: 0, smtpPort: 0, host: '127.0.0.1' }),
  ]);
});
afterAll(() => Promise.all([browser.close(), inbox.stop()]));

const invitation = [
  'From: vaultsvc <no-reply@localhost.test>',
  'To: Ada <ada@example.test>',
  'Subject: Grace invites you to Example on vaultsvc',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Grace invites you. <a href="https://app.example/signin">Sign in</a></p>',
].join('\r\n');

beforeEach(async () => {
  await fetch(`${inbox.httpUrl}/messages/all`, { method: 'DELETE' });
  await inbox.inbox.receive(Buffer.from(invitation), {
    from: 'no-reply@localhost.test',
    to: ['ada@example.test'],
  });
  inbox.inbox.receiveText({
    from: '+14155550100',
    to: '+4915112345678',
    text: 'Your code is 123456. https://links.example/l',
  });
  const sent = {
    from: '',
    title: 'A link was opened',
    text: 'notification\nhttps://app.example',
    details: {},
    content: { n: 1 },
  };
  inbox.inbox.receiveNotification({ ...sent, channel: 'webhook', to: '/webhook/orders' });
  inbox.inbox.receiveNotification({ ...sent, channel: 'push', to: 'a'.repeat(64) });
});

async function open(viewport: typeof phone, options: object = {}): Promise<Page> {
  const context = await openContext(browser, { viewport, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.goto(inbox.httpUrl);
  return page;
}
const links = (page: Page) => page.getByRole('navigation').getByRole('link');

describe('OPEN-35: the page of the local inbox', () => {
  it.each([
    ['with its script', true],
    ['without its script', false],
  ])('searches, shows the source and deletes one message, %s', async (_, javaScriptEnabled) => {
    const page = await open(desktop, { javaScriptEnabled });
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('ADA invites');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 4 with').waitFor();
    await page.getByRole('link', { name: /Grace invites you/ }).click();
    await page.frameLocator('iframe').getByText('Grace invites you.').waitFor();
    await page.getByRole('link', { name: 'Source' }).click();
    expect(await page.locator('pre').innerText()).toContain('Content-Type: text/html; charset=utf-8');
    await page.goBack();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('0 of 3 with').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await links(page).nth(2).waitFor();
    expect(await links(page).count()).toBe(3);
    await page.context().close();
  });

  it('deletes all messages after a confirmation', async () => {
    const page = await open(desktop);
    await page.getByRole('link', { name: 'Delete all' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await links(page).nth(3).waitFor();
    expect(await links(page).count()).toBe(4);
    await page.getByRole('link', { name: 'Delete all' }).click();
    await page.getByRole('button', { name: 'Delete all 4 messages' }).click();
    await page.getByText('Nothing was sent yet.').waitFor();
    await page.context().close();
  });

  it('leads back from a message to its place in the list on a phone', async () => {
    for (let count = 0; count < 30; count++)
      inbox.inbox.receiveText({ from: '+1', to: '+2', text: `more ${count}` });
    const page = await open(phone);
    const invited = page.getByRole('link', { name: /Grace invites you/ });
    await invited.click();
    await page.locator('iframe').waitFor();
    expect(await invited.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All messages' }).click();
    await page.waitForURL(/#m-/);
    expect(await page.locator('iframe').count()).toBe(0);
    // The oldest of 34 messages is below the first screen.
    await eventually(
      async () => (await invited.boundingBox())?.y ?? Infinity,
      (y) => y < phone.height,
    );
    await page.context().close();
  });

  it('can be used with the keyboard alone', async () => {
    const page = await open(desktop);
    const press = (key: string) => page.keyboard.press(key);
    const focused = () =>
      page.evaluate<string>('document.activeElement.textContent.trim() || document.activeElement.name');
    const visited: string[] = [];
    for (let index = 0; index < 5; index++) {
      await press('Tab');
      visited.push(await focused());
    }
    expect(visited.slice(0, 4)).toEqual(['Inbox', 'q', 'Search', 'Delete all']);
    await press('Enter');
    await page.locator('article').waitFor();
    await press('Tab');
    expect(await focused()).toBe('Skip the list');
    await press('Enter');
    await press('Tab');
    expect(await focused()).toBe('Source');
    await press('Tab');
    expect(await focused()).toBe('Delete');
    await press('Enter');
    await page.waitForURL(/\/$/);
    await links(page).nth(2).waitFor();
    expect(await links(page).count()).toBe(3);
    await page.context().close();
  });
});

describe('OPEN-35: the page of the local inbox on phone and desktop, light and dark', () => {
  it('fits the screen, can be read, and axe finds nothing wrong', async () => {
    const page = await open(phone);
    const looks = new Looks('inbox');
    await looks.check(page, 'list');
    const messages = await page.evaluate<string[]>(
      `[...document.querySelectorAll('nav a')].map(({ href }) => href)`,
    );
    for (const [index, url] of messages.entries()) {
      await page.goto(url);
      await looks.check(page, `message-${index}`);
    }
    await page.goto(`${inbox.httpUrl}/?delete=all`);
    await looks.check(page, 'delete-all');
    await page.goto(`${inbox.httpUrl}/?q=code`);
    await looks.check(page, 'search');
    await page.goto(`${inbox.httpUrl}/?q=nothing-has-these-words-and-they-are-long-enough-for-two-lines`);
    await looks.check(page, 'no-results');
    await page.context().close();
  });
});
