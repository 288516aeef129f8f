import type { BrowserContext } from 'playwright-core';
import { newEmail } from '../sign-in.js';
import { WebApp } from './web-app.js';

/** A person in the list of vaults. */
export async function openVaults(context: BrowserContext): Promise<WebApp> {
  const app = await WebApp.openIn(context);
  await app.signUp(newEmail());
  await app.place('Vaults').click();
  await app.page.getByText('Your organization has no vault yet.', { exact: false }).waitFor();
  return app;
}

/** Creates a vault, and keeps its key. */
export async function createVault(app: WebApp): Promise<string> {
  await app.page.getByRole('link', { name: 'Create a vault' }).click();
  await app.type('Name', 'Contracts');
  await app.press('Create vault');
  const key = await app.page.getByLabel('Master key').innerText();
  await app.press('I have kept it');
  await app.type('Enter the last 6 characters of the key', key.slice(-6));
  await app.press('Continue');
  return key;
}

export async function unseal(app: WebApp, key: string): Promise<void> {
  await app.page.getByLabel('Key of the vault').fill(key);
  await app.press('Open here');
  await app.button('Lock here').waitFor();
}
