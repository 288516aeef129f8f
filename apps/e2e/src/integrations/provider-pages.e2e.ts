import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectChatapp } from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import type { Browser, Page } from 'playwright-core';
import { closeContext, launchBrowser, openContext } from '../browser/browser.js';
import { Looks } from '../browser/looks.js';
import { signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';
import { LocalCrm } from './framed-panel.js';

const { chat_api_url, crma_api_url } = stack();

let browser: Browser;
let teamId: string;
beforeAll(async () => {
  browser = await launchBrowser();
  const { client } = await signUpOrganization('Chat & Söhne');
  const body = { code: `local-ok-${newId('code_')}`, redirect_uri: 'https://app.example.com/callback' };
  teamId = succeeded(await client.call(connectChatapp, { body })).team_id;
  await LocalCrm.connect('crma');
});
afterAll(() => browser.close());

const write = async (page: Page, text: string) => {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
};
const dialog = (page: Page) => page.getByRole('dialog');

describe('CHT-14 CHT-20 CHT-22 CHT-24: the page of the emulated chat', () => {
  it('sends a secret with /secret, views it once, and shows that it was burned', async () => {
    const page = await (await openContext(browser)).newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(chat_api_url);
    await page.getByLabel('Workspace').selectOption(teamId);
    await write(page, '/secret @bob');
    await dialog(page).getByRole('button', { name: 'Send' }).click();
    await dialog(page).getByText('Write the secret.').waitFor(); // the answer of the app at its block
    await dialog(page).getByLabel('Secret').fill('correct horse');
    await dialog(page).getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'View & Destroy' }).click();
    await dialog(page).getByRole('button', { name: 'View & Destroy' }).click();
    await dialog(page).getByText('correct horse').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByText('Secret Burned. @ada viewed it').waitFor();
    expect(await page.getByRole('button', { name: 'View & Destroy' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Home of the app' }).click();
    await page.getByText('Secrets that are viewed once').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe('CHT-14 OPEN-66: the pages of the emulated providers on phone and desktop, light and dark', () => {
  it('fit the screen, can be read, and axe finds nothing wrong', async () => {
    const context = await openContext(browser, { reducedMotion: 'reduce' });
    const page = await context.newPage();
    const looks = new Looks('providers');
    await page.goto(chat_api_url);
    await page.getByLabel('Workspace').selectOption(teamId);
    await looks.check(page, 'chat');
    await write(page, '/secret #general');
    await dialog(page).getByLabel('Secret').waitFor();
    await looks.check(page, 'modal');
    await page.goto(crma_api_url);
    await page.getByRole('button', { name: 'Open record' }).click();
    await page.frameLocator('iframe').getByLabel('Key of the vault').waitFor();
    await looks.check(page, 'record');
    await closeContext(context);
  });
});
