import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readPreferences, readSend, sendNotification, type NewSend } from '@vaultsvc/contracts/notify';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { closeContext, launchBrowser, openContext } from '../browser/browser.js';
import { Looks } from '../browser/looks.js';
import { mailsTo } from '../inbox.js';
import { newEmail } from '../sign-in.js';
import { stack } from '../stack.js';

const client = api(stack().api_url, { key: stack().account.api_key });

let browser: Browser;
let context: BrowserContext | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(() => closeContext(context));
afterAll(() => browser.close());

/** Sends a mail, waits for its delivery and returns how it ended. */
async function mail(to: string, category: string | null = null): Promise<string> {
  const content = { payload: 'the contract' };
  const body = { recipients: [to], channels: ['email'], content, category } as unknown as NewSend;
  const { send_id } = succeeded(await client.call(sendNotification, { body }));
  const state = await eventually(
    async () => {
      const { recipient_states } = succeeded(await client.call(readSend, { params: { send_id } }));
      return recipient_states[0]?.deliveries[0]?.state ?? '';
    },
    (now) => ['sent', 'skipped'].includes(now),
  );
  return state;
}

/** The address behind the visible link of the latest mail. */
async function linkIn(to: string): Promise<string> {
  const mails = await mailsTo(stack().mail_url, to);
  return /Unsubscribe: (\S+)/.exec(mails.at(-1)?.text ?? '')?.[1] as string;
}

async function visit(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  context = await openContext(browser, { reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

/** Acts until the page says so. On a busy machine a call may end without an answer: like a person, it acts again. */
async function until(page: Page, says: string, act: () => Promise<void>): Promise<void> {
  const done = page.getByRole('status').getByText(says);
  const failed = page.getByRole('alert').getByText('Not saved, nothing was changed. There was no answer.');
  do {
    await act();
    await done.or(failed).first().waitFor();
  } while (!(await done.isVisible()));
}

/** On a busy machine the first call may take longer than the page waits: like a person, it asks again. */
async function arrives(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { name: `Mails from ${stack().account.organization_name}` });
  const again = button(page, 'Try again');
  await heading.or(again).first().waitFor();
  if (!(await again.isVisible())) return;
  await again.click();
  await heading.waitFor();
}

/** The page behind the link of the latest mail, once it shows the preferences. */
async function visitFromMail(to: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await visit(await linkIn(to), options);
  await arrives(page);
  return page;
}

describe('NTF-41 OPEN-34: the page behind the visible link of a mail', () => {
  it('changes nothing by being opened, unsubscribes at the press of a button, and leads back', async () => {
    const email = newEmail();
    await mail(email);
    const page = await visitFromMail(email);
    expect(await page.content()).not.toContain(email.split('@')[0]);
    expect(await mail(email)).toBe('sent');
    await until(page, 'You are unsubscribed.', () => button(page, 'Unsubscribe').click());
    expect(await mail(email)).toBe('skipped');
    await page.reload();
    await arrives(page);
    await until(page, 'You are subscribed again.', () => button(page, 'Subscribe again').click());
    expect(await mail(email)).toBe('sent');
  });

  it('switches single categories, and all mails', async () => {
    const email = newEmail();
    await mail(email, 'news');
    await mail(email, 'bills');
    const page = await visitFromMail(email);
    await until(page, 'news: off. Saved.', () => page.getByLabel('news').uncheck());
    expect([await mail(email, 'news'), await mail(email, 'bills')]).toEqual(['skipped', 'sent']);
    await until(page, 'All mails: off. Saved.', () => page.getByLabel('All mails').uncheck());
    await sees(page, 'All mails are off, whatever else is chosen.');
    expect(await mail(email)).toBe('skipped');
  });

  it('sets quiet hours in the time zone of the browser, and ends them', async () => {
    const email = newEmail();
    await mail(email);
    const quietHours = async () =>
      succeeded(await client.call(readPreferences, { params: { recipient_id: email } })).quiet_hours;
    const page = await visitFromMail(email, { timezoneId: 'Asia/Kathmandu' });
    await page.getByLabel('From').fill('21:15');
    await until(page, 'Quiet hours are saved.', () => button(page, 'Save quiet hours').click());
    const [{ time_zone, ...hours }] = [await quietHours()] as [
      NonNullable<Awaited<ReturnType<typeof quietHours>>>,
    ];
    expect(hours).toEqual({ from: '21:15', to: '07:00' });
    expect(['Asia/Kathmandu', 'Asia/Katmandu']).toContain(time_zone);
    await until(page, 'Quiet hours have ended.', () => button(page, 'No quiet hours').click());
    expect(await quietHours()).toBeNull();
  });

  it('unsubscribes without JavaScript, too', async () => {
    const email = newEmail();
    await mail(email);
    const page = await visit(await linkIn(email), { javaScriptEnabled: false });
    await button(page, 'Unsubscribe').click();
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    expect(await mail(email)).toBe('skipped');
  });

  it('is where browsers come from the links of older mails', async () => {
    const email = newEmail();
    await mail(email);
    const url = (await linkIn(email)).replace('/unsubscribe?', '/v1/unsubscribe?');
    const page = await visit(url);
    expect(new URL(page.url()).pathname).toBe('/unsubscribe');
    await button(page, 'Unsubscribe').waitFor();
  });

  it('says that nothing was changed when a call gets no answer, and keeps what was stored', async () => {
    const email = newEmail();
    await mail(email, 'news');
    const page = await visitFromMail(email);
    await button(page, 'Unsubscribe').waitFor();
    await page.route('**/v1/unsubscribe**', (route) => route.abort());
    await page.getByLabel('news').click();
    await page.getByRole('alert').getByText('Not saved, nothing was changed. There was no answer.').waitFor();
    expect(await page.getByLabel('news').isChecked()).toBe(true);
    await button(page, 'Unsubscribe').click();
    await sees(page, 'You get mails about');
    expect(await mail(email, 'news')).toBe('sent');
  });

  it('can be used with the keyboard alone', async () => {
    const email = newEmail();
    await mail(email, 'news');
    const page = await visitFromMail(email);
    await button(page, 'Unsubscribe').waitFor();
    const focused = () =>
      page.evaluate<string>(
        '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
      );
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Unsubscribe');
    await until(page, 'You are unsubscribed.', () => page.keyboard.press('Enter'));
    expect(await focused()).toBe('Subscribe again');
    const visited: string[] = [];
    for (let index = 0; index < 3; index++) {
      await page.keyboard.press('Tab');
      visited.push(await focused());
    }
    expect(visited).toEqual(['All mails', 'news', 'From']);
  });

  it.each(['', '?token=', '?token=x', `?token=${'A'.repeat(200)}`])(
    'says of %j that the link is not valid',
    async (query) => {
      const page = await visit(`${stack().api_url}/unsubscribe${query}`);
      await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
    },
  );
});

/** Preferences as the API answers them, with the longest names. */
const described = {
  unsubscribed: false,
  channel: 'email',
  category: 'quarterly_statements',
  organization_name: `Donaudampfschifffahrtselektrizitätenhauptbetriebswerk ${'W'.repeat(120)}`,
  address: `a…@${'very-long-subdomain.'.repeat(8)}example.com`,
  all_mails_off: false,
  categories: [
    { category: 'news', is_on: false },
    { category: `c${'x'.repeat(63)}`, is_on: true },
  ],
  quiet_hours: { from: '22:00', to: '07:00', time_zone: 'America/Argentina/ComodRivadavia' },
};

const states: readonly {
  name: string;
  heading?: string;
  status?: number;
  data: object;
  walk?: (page: Page) => Promise<void>;
}[] = [
  { name: 'subscribed', data: described },
  { name: 'unsubscribed', data: { ...described, unsubscribed: true, all_mails_off: true } },
  {
    name: 'plain',
    data: { ...described, organization_name: 'Engines', category: null, categories: [], quiet_hours: null },
  },
  { name: 'nameless', data: { ...described, organization_name: '', address: null } },
  {
    name: 'not-saved',
    data: described,
    walk: async (page) => {
      await page.route('**/v1/unsubscribe**', (route) => route.abort());
      await page.getByLabel('news').click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'invalid', status: 400, data: {}, heading: 'This link is not valid' },
  { name: 'failed', status: 500, data: {}, heading: 'This did not work' },
];

describe('OPEN-34: the page behind the visible link of a mail, on phone and desktop, light and dark,', () => {
  const looks = new Looks('unsubscribe');

  it.each(states)(
    'fits, can be read, and axe finds nothing wrong: $name',
    async ({ name, heading = 'Mails from', status: code = 200, data, walk }) => {
      const page = await visit('about:blank');
      const error = { code: 'VALIDATION_ERROR', message: 'not valid' };
      const json = {
        ...(code === 200 ? { ok: true, data } : { ok: false, error }),
        meta: { request_id: 'req_x' },
      };
      await page.route('**/v1/unsubscribe**', (route) => route.fulfill({ status: code, json }));
      await page.goto(`${stack().api_url}/unsubscribe?token=x`);
      await page.getByRole('heading', { name: heading }).waitFor();
      await walk?.(page);
      await looks.check(page, name);
    },
  );
});
