import { describe, expect, it } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { newEmail } from '../sign-in.js';
import { stack } from '../stack.js';
import { useContext } from './use-context.js';
import { createVault, openVaults, unseal } from './vault-steps.js';
import { WebApp } from './web-app.js';

const { forge_url } = stack();
const isForge = (url: URL) => url.origin === new URL(forge_url).origin;
const looks = new Looks('web-large-file');

/** More than a Spark holds, and no byte like the one after the next. */
const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251));

let context: BrowserContext;
useContext((own) => (context = own), { permissions: ['clipboard-read', 'clipboard-write'] });

/** Chooses the file in Send, and goes on to Vaults. */
async function sendFromVault(app: WebApp): Promise<void> {
  await app.page.getByText('File', { exact: true }).click();
  await app.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'plans.bin', mimeType: 'application/octet-stream', buffer: content });
  await app.press('Send it from a vault');
  await app.heading('Vaults').and(app.page.locator(':focus')).waitFor();
}

/** A person whose open vault has a small file of the same name, and for whose vault a large one waits. */
async function openTaken(): Promise<WebApp> {
  const app = await openVaults(context);
  const key = await createVault(app);
  await unseal(app, key);
  await app.page.locator('input[type=file][multiple]').setInputFiles({
    name: 'plans.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('former'),
  });
  await app.page.getByText('1 of 1 file stored').waitFor();
  await app.button('plans.bin').waitFor();
  await app.place('Send').click();
  await sendFromVault(app);
  await app.page.getByRole('link', { name: 'Contracts' }).click();
  return app;
}

const notice = (app: WebApp) => app.page.getByRole('region', { name: 'A file waits to be sent' });

/** Makes the link that the dialog offers. */
async function createLink(app: WebApp, name: string): Promise<string> {
  const dialog = app.page.getByRole('dialog', { name: 'Share' });
  await dialog.getByText(name, { exact: true }).waitFor();
  await app.press('Create link');
  return dialog.getByLabel('Link', { exact: true }).innerText();
}

/** Opens a link as a visitor. */
async function open(link: string) {
  const opened = await context.request.post(`${link}/open`, { data: {} });
  const { download_url: url } = (await opened.json()) as { download_url?: string };
  return { status: opened.status(), url };
}

describe('a file above the limit of a Spark in the web application', () => {
  it('WEB-16 WEB-04 WEB-07 SHR-13: goes from Send into a new vault and out by a link that opens once, and is chosen once', async () => {
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await sendFromVault(app);
    await notice(app).getByText('plans.bin').waitFor();
    await looks.check(app.page, 'large-file-vaults');
    const asked = app.page.waitForEvent('dialog');
    await app.page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();

    const key = await createVault(app);
    await notice(app).getByText('Open this vault to upload it here', { exact: false }).waitFor();
    await looks.check(app.page, 'large-file-locked');
    await unseal(app, key);
    await app.button('Upload and create a link').waitFor();
    await looks.check(app.page, 'large-file-ready');
    await app.press('Upload and create a link');
    const link = await createLink(app, 'plans.bin');
    await looks.check(app.page, 'large-file-link');
    await app.press('Copy link');
    await app.page.getByText('Copied. Your system').waitFor();
    expect(await app.page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await app.press('Close');
    await app.button('plans.bin').waitFor();
    expect(await notice(app).count()).toBe(0);
    expect(await app.kept()).not.toMatch(/plans|vaultsvc-sealed/);

    const { url } = await open(link);
    expect(Buffer.compare(await (await context.request.get(url as string)).body(), content)).toBe(0);
    expect((await open(link)).status).toBe(403);
    expect(app.errors).toEqual([]);
    const closed = app.page.waitForEvent('close');
    await app.page.close({ runBeforeUnload: true });
    await closed;
  });

  it('WEB-16 WEB-13: waits while a name that exists is asked about, and is not sent if the person does not want it', async () => {
    const app = await openTaken();
    await app.press('Upload and create a link');
    await app.press('Skip them');
    await app.press('Upload and create a link');
    await app.press('Keep both');
    await app.page.getByRole('dialog', { name: 'Share' }).getByText('plans (2).bin').waitFor();
    await app.press('Close');
    await notice(app).getByText('It is stored here.', { exact: false }).waitFor();
    await notice(app).getByText('plans (2).bin').waitFor();
    await looks.check(app.page, 'large-file-stored');
    await app.place('Vaults').click();
    await notice(app).getByRole('link', { name: 'Go to the files' }).click();
    await app.press('Create its link');
    await app.page.getByRole('dialog', { name: 'Share' }).waitFor();
    await app.press('Close');
    await app.press('Do not send it');
    await app.heading('Contracts').and(app.page.locator(':focus')).waitFor();
    expect(await notice(app).count()).toBe(0);
    await app.button('plans (2).bin').waitFor();
    expect(app.errors).toEqual([]);
  });

  it('WEB-16 ING-08: replaces a file of its name if the person wants it, and the link opens what was sent', async () => {
    const app = await openTaken();
    await app.press('Upload and create a link');
    await app.press('Replace them');
    const link = await createLink(app, 'plans.bin');
    const { url } = await open(link);
    expect(Buffer.compare(await (await context.request.get(url as string)).body(), content)).toBe(0);
    expect(app.errors).toEqual([]);
  });

  it('WEB-16: waits again when its upload is cancelled', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    await unseal(app, key);
    await app.place('Send').click();
    await dropFile(app);
    await app.press('Send it from a vault');
    await app.page.getByRole('link', { name: 'Contracts' }).click();
    let isHeld = (): void => undefined;
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    // Its content does not arrive.
    await app.page.route(isForge, (route) =>
      route.request().method() === 'PATCH' ? isHeld() : route.continue(),
    );
    await app.press('Upload and create a link');
    await held;
    await notice(app).getByText('It is being uploaded.', { exact: false }).waitFor();
    await looks.check(app.page, 'large-file-uploading');
    await app.press('Cancel plans.bin');
    await app.button('Upload and create a link').waitFor();
    await app.press('Do not send it');
    expect(await notice(app).count()).toBe(0);
  });

  /** Drops a large file on the form of Send. */
  async function dropFile(app: WebApp): Promise<void> {
    const dataTransfer = await app.page.evaluateHandle(
      '(() => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(300000)], "plans.bin")); return data; })()',
    );
    await app.page.locator('form').dispatchEvent('drop', { dataTransfer });
  }

  it('WEB-06: says in Send that a seat that only reads vaults cannot send it', async () => {
    await context.route('**/v1/me', async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { data: { seat: string | null } };
      const seat = data.seat === null ? null : 'viewer';
      await route.fulfill({ response, json: { ...rest, data: { ...data, seat } } });
    });
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await dropFile(app);
    await app.page.getByText('Your seat only reads vaults.', { exact: false }).waitFor();
    expect(await app.button('Send it from a vault').count()).toBe(0);
    await looks.check(app.page, 'large-file-viewer');
    expect(app.errors).toEqual([]);
  });
});
