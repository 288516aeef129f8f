import { describe, expect, it } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { newEmail } from '../sign-in.js';
import { stack } from '../stack.js';
import { tabOrder } from './tab-order.js';
import { useContext } from './use-context.js';
import { WebApp } from './web-app.js';

const { api_url } = stack();
/** More than any dialog has. */
const TABS = 25;

let context: BrowserContext;
useContext((own) => (context = own));

/** The addresses of all places that need no id. */
const paths = [
  '/send',
  '/sent',
  '/vaults',
  '/vaults/new',
  '/notifications',
  '/notifications/new',
  '/notifications/receipts',
  '/notifications/feed',
  '/notifications/preferences',
  '/notifications/configuration',
  '/people',
  '/keys',
  '/domains',
  '/usage',
  '/audit',
  '/billing',
  '/integrations',
  '/settings',
  '/profile',
];

async function signedUp(): Promise<WebApp> {
  const app = await WebApp.openIn(context);
  await app.signUp(newEmail());
  return app;
}

/** Opens a place, and waits until nothing of it is on its way. */
async function open({ page }: WebApp, path: string): Promise<void> {
  await page.goto(`${api_url}/app${path}`);
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
}

describe('WEB-09: a person with a keyboard alone', () => {
  it('reaches everything on each place, and sees where the focus is', async () => {
    const app = await signedUp();
    for (const path of paths) {
      await open(app, path);
      expect({ path, ...(await tabOrder(app.page)) }).toEqual({ path, unreached: [], unseen: [] });
    }
    expect(app.errors).toEqual([]);
  }, 300_000);

  it.each([
    ['/people', 'Invite'],
    ['/keys', 'Create key'],
    ['/audit', 'Export'],
    ['/billing', 'Change: Seats'],
    ['/profile', 'Sign out everywhere'],
    ['/notifications/configuration', 'Set: Webhook'],
  ])(
    'opens the dialog of %s (%s), stays in it, and is back at its button after Escape',
    async (path, name) => {
      const app = await signedUp();
      await open(app, path);
      const { page } = app;
      await app.button(name).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      // A dialog without a field has the focus itself.
      const inside = page.locator('dialog:focus, dialog :focus');
      await dialog.waitFor();
      await inside.waitFor();
      for (let press = 0; press < TABS; press += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(`document.activeElement.closest('dialog') !== null`)).toBe(true);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await app.button(name).and(page.locator(':focus')).waitFor();
    },
  );
});
