import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { launchProfile } from '../browser/browser.js';
import { newEmail } from '../sign-in.js';
import { createVault, openVaults, unseal } from './vault-steps.js';
import { WebApp } from './web-app.js';

let folder: string;
let context: BrowserContext;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-profile-'));
  context = await launchProfile(folder, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(100_000);
});
afterEach(async () => {
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Files of the profile that have one of the texts, in either of the encodings in which Chromium writes text. */
function filesWith(texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .filter((path) => {
      const content = readFileSync(path);
      return needles.some((needle) => content.includes(needle));
    });
}

/** Sends a text, and opens it in the same browser. */
async function sendSecret(app: WebApp, secret: string): Promise<void> {
  await app.place('Send').click();
  await app.field('Your secret').fill(secret);
  await app.press('Create link');
  const visitor = await context.newPage();
  await visitor.goto(await app.field('Link').inputValue());
  await visitor.getByRole('button', { name: 'Show it once' }).click();
  await visitor.getByText(secret).waitFor();
  await visitor.close();
}

/** Stores a file and looks at it, stores a secret and reveals it. Returns the key of the vault. */
async function fillVault(app: WebApp, file: string, secret: string): Promise<string> {
  const key = await createVault(app);
  await unseal(app, key);
  await app.page
    .locator('input[type=file][multiple]')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from(file) });
  await app.button('plan.txt').click();
  await app.press('Preview');
  await app.page.frameLocator('iframe').getByText(file).waitFor();
  await app.press('Close');
  await app.page
    .getByRole('navigation', { name: 'Parts of the vault' })
    .getByRole('link', { name: 'Secrets' })
    .click();
  await app.press('New set');
  await app.type('Name of the set', 'production');
  await app.press('Create set');
  await app.press('Add a secret');
  await app.type('Name', 'TOKEN');
  await app.field('Value').fill(secret);
  await app.press('Save');
  await app.press('Reveal TOKEN');
  await app.inDialog('Reveal').click();
  await app.page.getByText(secret).waitFor();
  await app.press('Close');
  return key;
}

async function createKey(app: WebApp): Promise<string> {
  await app.place('API keys').click();
  await app.press('Create key');
  await app.type('Name', 'Backup job');
  await app.inDialog('Create key').click();
  const key = await app.page.getByLabel('Key of Backup job').innerText();
  await app.press('I have kept it');
  await app.type('Enter the last 6 characters of the key', key.slice(-6));
  await app.press('Continue');
  return key;
}

async function notify(app: WebApp, content: string): Promise<void> {
  await app.place('Notifications').click();
  await app.page.getByRole('main').getByRole('link', { name: 'Notify people', exact: true }).click();
  await app.type('Add a recipient', newEmail());
  await app.page.keyboard.press('Enter');
  await app.field('Subject (optional)').fill('Your contract');
  await app.field('Sealed content').fill(content);
  await app.press('Preview');
  await app.press('Send to 1 person');
  await app.page.getByText('Sent, not opened yet', { exact: false }).first().waitFor();
}

it('WEB-04: a browser keeps no secret, no content of a file and no key in its profile, whatever was done in it', async () => {
  const [sent, file, secret, content] = [
    'canary-7f3a-sent',
    'canary-91bc-file',
    'canary-d04e-value',
    'canary-52aa-content',
  ];
  const app = await openVaults(context);
  const vaultKey = await fillVault(app, file, secret);
  await sendSecret(app, sent);
  const apiKey = await createKey(app);
  await notify(app, content);
  await app.press('Sign out');
  await app.button('Sign in').waitFor();
  await app.page.evaluate(`localStorage.setItem('control', 'canary-0000-control')`);
  await context.close(); // which writes what the browser still held
  expect(filesWith(['canary-0000-control'])).not.toEqual([]); // so the search finds what the browser writes
  expect(filesWith([sent, file, secret, content, vaultKey, apiKey])).toEqual([]);
}, 300_000);
