import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser/browser.js';
import { Looks } from '../browser/looks.js';
import { stack } from '../stack.js';
import {
  asking,
  downloadOf,
  downloadUrl,
  file,
  codeSent,
  passkeyRequired,
  receiptOf,
  states,
  refusal,
  verificationRequired,
} from './scripted-states.js';
import { Visitor, type Script } from './visitor.js';

const url = `${stack().link_url}/any-code`;
let browser: Browser;
let visitor: Visitor;

beforeAll(async () => {
  browser = await launchBrowser();
  visitor = await Visitor.open(browser);
});
afterAll(() => browser.close());

/** States that the page reaches after actions of the visitor. */
const journeys: readonly { name: string; script: Script; walk: (visitor: Visitor) => Promise<void> }[] = [
  {
    name: 'hidden',
    script: states.find(({ name }) => name === 'text')?.script ?? {},
    walk: async (visitor) => {
      await visitor.showOnce();
      await visitor.button('Hide').click();
      await visitor.status().getByText('Hidden.').waitFor();
    },
  },
  {
    name: 'ready-pressed',
    script: { ...states.find(({ name }) => name === 'ready')?.script, open: [{ no: 'held' }] },
    walk: async (visitor) => {
      await visitor.button('Show it once').click();
      await visitor.status().getByText('Opening …').waitFor();
    },
  },
  {
    name: 'redirect-sharer',
    script: {
      describe: [{ body: { type: 'redirect', once: true, shared_by: 'Acme Ltd.' } }],
      open: [{ body: { type: 'redirect', url: 'https://example.invalid/there' } }],
    },
    walk: async (visitor) => {
      await visitor.sees('You are being redirected');
    },
  },
  {
    name: 'code',
    script: { describe: [verificationRequired('email')], start: [{ body: codeSent }] },
    walk: typeAddress,
  },
  {
    name: 'code-wrong',
    script: {
      describe: [verificationRequired('email')],
      start: [{ body: codeSent }],
      confirm: [refusal(401)],
    },
    walk: async (visitor) => {
      await typeAddress(visitor);
      await visitor.page.getByLabel('Code').fill('123456');
      await visitor.button('Continue').click();
      await visitor.page.getByRole('alert').getByText('This code is wrong').waitFor();
    },
  },
  {
    name: 'codes-exhausted',
    script: { describe: [verificationRequired('sms')], start: [refusal(429, {}, { 'Retry-After': '1800' })] },
    walk: async (visitor) => {
      await visitor.page.getByLabel('Phone number').fill('+436601234567');
      await visitor.button('Send the code').click();
      await visitor.page.getByRole('alert').getByText('Try again in 30 minutes').waitFor();
    },
  },
  ...(['active', 'complete', 'failed'] as const).map((status) => ({
    name: `download-${status}`,
    script: {
      ...file('Quarterly report.pdf'),
      open: [downloadOf(5_368_709)],
      progress: [{ body: { progress: { bytes_downloaded: 2_000_000, status } } }],
    },
    walk: async (visitor: Visitor) => {
      await visitor.context.route(downloadUrl, (route) =>
        route.fulfill({ body: 'x', headers: { 'Content-Disposition': 'attachment; filename=report.pdf' } }),
      );
      await visitor.button('Download').click();
      const shown = { active: '2 MB of 5.4 MB', complete: 'Look in your', failed: 'is not complete' };
      await visitor.page.getByText(shown[status]).waitFor();
    },
  })),
  {
    name: 'passkey-unavailable',
    script: { describe: [passkeyRequired], passkey: [refusal(409)] },
    walk: async (visitor) => {
      await visitor.button('Use my passkey').click();
      await visitor.page.getByRole('alert').getByText('Passkeys do not work at this address').waitFor();
    },
  },
  {
    name: 'answer-refused',
    script: { ...asking('approve', 'deny'), interact: [refusal(409)] },
    walk: async (visitor) => {
      await visitor.showOnce();
      await visitor.button('Approve').click();
      await visitor.page.getByRole('alert').getByText('You have already answered differently').waitFor();
    },
  },
  {
    name: 'receipt',
    script: { ...asking('acknowledge'), interact: [receiptOf('acknowledge')] },
    walk: async (visitor) => {
      await visitor.showOnce();
      await visitor.button('Acknowledge').click();
      await visitor.sees('You have acknowledged this.');
    },
  },
  {
    name: 'stayed',
    script: states.find(({ name }) => name === 'warning')?.script ?? {},
    walk: async (visitor) => {
      await visitor.button('Close').click();
      await visitor.sees('You stayed here');
    },
  },
];

async function typeAddress(visitor: Visitor): Promise<void> {
  await visitor.page.getByLabel('E-mail address').fill('ann@example.com');
  await visitor.button('Send the code').click();
  await visitor.sees('Enter the code');
}

const walks = [
  ...states.map(({ name, script, heading, isPressed }) => ({
    name,
    script,
    walk: (visitor: Visitor) => (isPressed ? visitor.showOnce(heading) : visitor.sees(heading)),
  })),
  ...journeys,
];

const looks = new Looks('links');

describe('MISC-02: the root of a link origin on phone and desktop, light and dark', () => {
  it('fits, can be read, and axe finds nothing wrong', async () => {
    await visitor.page.goto(new URL('/', url).href);
    await visitor.sees('Private links open here');
    await looks.check(visitor.page, 'root');
  });
});

describe('OPEN-23: the link page on phone and desktop, light and dark', () => {
  it.each(walks)('fits, can be read, and axe finds nothing wrong: $name', async ({ name, script, walk }) => {
    // The destination of a redirect has no content, so the page remains.
    await visitor.context.route('https://example.invalid/**', (route) => route.fulfill({ status: 204 }));
    await visitor.script(script);
    await visitor.page.goto(url);
    await walk(visitor);
    await looks.check(visitor.page, name);
    expect(visitor.errors).toEqual([]);
  });
});
