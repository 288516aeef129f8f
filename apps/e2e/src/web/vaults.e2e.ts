import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { stack } from '../stack.js';
import { useContext } from './use-context.js';
import { createVault, openVaults, unseal } from './vault-steps.js';
import { WebApp } from './web-app.js';

const { forge_url } = stack();
const isForge = (url: URL) => url.origin === new URL(forge_url).origin;
const looks = new Looks('web');
/** The size of Forge's chunks (FRG-11). */
const CHUNK_BYTES = 52_428_800;

let folder: string;
let context: BrowserContext;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vaults-'));
});
useContext((own) => (context = own), { permissions: ['clipboard-read', 'clipboard-write'] });
afterAll(() => rm(folder, { recursive: true }));

describe('a vault in the web application', () => {
  it('WEB-08 VLT-04: shows its master key once, asks whether it was kept, and opens by it', async () => {
    const app = await openVaults(context);
    await looks.check(app.page, 'vaults-empty');
    await app.page.getByRole('link', { name: 'Create a vault' }).click();
    await app.type('Name', 'Contracts');
    await app.press('Create vault');
    const key = await app.page.getByLabel('Master key').innerText();
    await looks.check(app.page, 'vault-key');
    await app.place('Vaults').click();
    await app.page.getByText('You have not kept the key of Contracts yet.', { exact: false }).waitFor();
    await looks.check(app.page, 'vaults-unkept-key');
    await app.page.getByRole('link', { name: 'Contracts' }).click();
    await app.page.getByLabel('Key of the vault').waitFor();
    await app.page.getByRole('link', { name: 'Keep the key' }).click();
    expect(await app.page.getByLabel('Master key').innerText()).toBe(key);
    await app.press('I have kept it');
    expect(await app.page.content()).not.toContain(key);
    await app.type('Enter the last 6 characters of the key', 'wrong1');
    await app.press('Continue');
    await app.page.getByText('These are other characters.', { exact: false }).waitFor();
    await looks.check(app.page, 'vault-key-check');
    await app.field('Enter the last 6 characters of the key').fill(key.slice(-6));
    await app.press('Continue');
    await app.page.getByLabel('Key of the vault').fill(`vmk_${'x'.repeat(key.length - 4)}`);
    await app.press('Open here');
    await app.page.getByText('This key does not open this vault.', { exact: false }).waitFor();
    await looks.check(app.page, 'vault-locked');
    await unseal(app, key);
    await app.page.getByText('Open here, 1 hour left').waitFor();
    expect(await app.kept()).not.toContain(key);
    expect(await app.page.title()).toBe('Vault · vaultsvc');
    expect(app.errors).toEqual([]);
  });

  it('WEB-12 VLT-22: notices that another tab has sealed it, and asks for the key again', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    await unseal(app, key);
    const other = await WebApp.openIn(context, new URL(app.page.url()).pathname);
    await unseal(other, key);
    await other.press('Seal');
    await other.page.getByRole('dialog').getByRole('button', { name: 'Seal for everybody' }).click();
    await app.page.getByText('Somebody has sealed this vault', { exact: false }).waitFor();
    await app.page.getByLabel('Key of the vault').waitFor();
    expect([...app.errors, ...other.errors]).toEqual([]);
  });

  it('WEB-12: locks when nobody uses the page for 15 minutes, and says so 5 minutes ahead', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    await unseal(app, key);
    await app.page.clock.install();
    await app.page.clock.fastForward('10:30');
    await app.page.getByText('Nobody uses this page: the vault locks in 5 minutes.').waitFor();
    await looks.check(app.page, 'vault-idle');
    await app.page.clock.fastForward('04:45');
    await app.page.getByText('nobody used this page for 15 minutes', { exact: false }).waitFor();
    expect(app.errors).toEqual([]);
  });
});

describe('the files of a vault in the web application', () => {
  it('WEB-08 WEB-13 ING-01: uploads, asks about names that exist, renames, moves, shares and deletes', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    await unseal(app, key);
    await app.page.getByText('Nothing is here yet.', { exact: false }).waitFor();
    await upload(app, 'contract.txt', 'first');
    await row(app, 'contract.txt').waitFor();
    await app.page.getByText('1 of 1 file stored').waitFor();
    await looks.check(app.page, 'vault-files');
    await upload(app, 'contract.txt', 'second');
    await app.page.getByRole('dialog', { name: 'Some names exist already' }).waitFor();
    await looks.check(app.page, 'vault-names');
    await app.press('Replace them');
    await app.page.getByText('2 of 2 files stored').waitFor();
    await upload(app, 'contract.txt', 'third');
    await app.press('Keep both');
    await row(app, 'contract (2).txt').waitFor();

    await app.press('New folder');
    await app.type('Name of the folder', 'Old');
    await app.press('Create folder');
    await app.page.getByRole('link', { name: 'Old' }).waitFor();

    await row(app, 'contract.txt').click();
    await looks.check(app.page, 'vault-file');
    await app.press('Rename');
    await app.field('Name').fill('2026.txt');
    await app.press('Save');
    await row(app, '2026.txt').click();
    await app.press('Move');
    await app.page.getByLabel('Folder', { exact: true }).selectOption({ label: 'Old' });
    await app.press('Move');
    await app.page.getByRole('link', { name: 'Old' }).click();
    await row(app, '2026.txt').click();
    await app.press('Share');
    await app.press('Create link');
    const link = await app.page.getByLabel('Link', { exact: true }).innerText();
    await looks.check(app.page, 'vault-share');
    await app.page.keyboard.press('Escape');
    expect(await app.page.getByLabel('Link', { exact: true }).innerText()).toBe(link);
    expect(new URL(link).pathname.length).toBeGreaterThan(5);
    await app.press('Withdraw the link');
    await app.page.getByText('The link was withdrawn.').waitFor();
    await app.page.getByText('A link that stays', { exact: true }).click();
    await app.press('Allow them in this vault');
    await app.page.getByText('People whom you name', { exact: true }).click();
    await app.press('Create link');
    await app.page.getByText('Enter who can open it.').waitFor();
    await app.field('E-mail addresses or phone numbers, one per line').fill('ann@example.com\nnonsense');
    await app.press('Create link');
    await app.page.getByText('nonsense is neither an e-mail address', { exact: false }).waitFor();
    await app.page.getByText('Anybody with the link', { exact: true }).click();
    await app.press('Create link');
    await app.page.getByLabel('Link', { exact: true }).waitFor();
    await looks.check(app.page, 'vault-share-durable');
    await app.press('Close');

    await row(app, '2026.txt').click();
    await app.press('Delete');
    await app.press('Delete');
    await app.page.getByText('Nothing is here yet.', { exact: false }).waitFor();
    await app.heading('Contracts').and(app.page.locator(':focus')).waitFor();
    expect(await app.kept()).not.toContain('2026.txt');
    expect(app.errors).toEqual([]);
  });

  it('WEB-13 FRG-34: goes on with an upload after a reload, when the file is chosen again', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    await unseal(app, key);
    const file = join(folder, 'large.bin');
    await writeFile(file, Buffer.alloc(CHUNK_BYTES + 1_000, 7));
    let chunks = 0;
    const second = new Promise<void>((resolve) => {
      void app.page.route(isForge, (route) => {
        if (route.request().method() !== 'PATCH' || ++chunks !== 2) return route.continue();
        // It does not arrive before the reload.
        return resolve();
      });
    });
    await app.page.locator('input[type=file][multiple]').setInputFiles(file);
    await second;
    app.page.on('dialog', (dialog) => void dialog.accept());
    await app.page.reload();
    const stored = await app.kept();
    expect(stored).not.toContain('large.bin');
    await unseal(app, key);
    await app.page.getByText(/^\d+ % sent. Choose the file again to go on.$/).waitFor();
    await looks.check(app.page, 'vault-interrupted');
    const again = app.page.waitForEvent('filechooser');
    await app.press('Choose the file again: large.bin');
    await (await again).setFiles(file);
    await row(app, 'large.bin').waitFor();
    await app.page.getByText('1 of 1 file stored').waitFor();
    expect(chunks).toBe(3);
    expect(await app.kept()).not.toContain('vaultsvc-sealed');
    expect(app.errors).toEqual([]);
  });

  it('WEB-14 ING-12: lists 1,000 files as the person scrolls, and has the API search their names', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    const searches: URLSearchParams[] = [];
    await app.page.route('**/ingots/search?*', (route) => {
      const query = new URL(route.request().url()).searchParams;
      searches.push(query);
      return route.fulfill({ json: { data: pageOf(query), meta: {} } });
    });
    await unseal(app, key);
    await row(app, 'file 0000.txt').waitFor();
    expect(searches.map((query) => query.get('folder_id'))).toEqual(['root']);
    expect(await app.page.getByRole('listitem').count()).toBeLessThan(60);
    while (!(await row(app, 'file 0999.txt').isVisible()))
      await app.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    expect(searches.map((query) => query.get('cursor'))).toEqual([null, '200', '400', '600', '800']);
    expect(await app.page.getByRole('listitem').count()).toBeLessThan(60);
    await app.field('Search by name').or(app.page.getByRole('searchbox')).fill('99');
    await app.page.getByText('19 files found').waitFor();
    await row(app, 'file 0990.txt').waitFor();
    expect(searches.at(-1)?.get('contains')).toBe('99');
    await looks.check(app.page, 'vault-search');
    await app.page.getByRole('searchbox').fill('none has this');
    await app.page.getByText('No file has a name like this.').waitFor();
    await looks.check(app.page, 'vault-search-nothing');
    expect(app.errors).toEqual([]);
  });

  /** The answers of the API for a folder with 1,000 files. */
  function pageOf(query: URLSearchParams) {
    const all = Array.from({ length: 1_000 }, (_, index) => `file ${String(index).padStart(4, '0')}.txt`);
    const found = all.filter((name) => name.includes(query.get('contains') ?? ''));
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Number(query.get('limit'));
    const ingots = found.slice(start, end).map((name) => ({ ...file, ingot_id: `ing_${name}`, name }));
    const next = end < found.length ? { next_cursor: String(end) } : {};
    return { ingots, count: ingots.length, has_more: end < found.length, ...next, filters: {} };
  }

  const file = {
    vault_id: 'vlt_1',
    folder_id: null,
    status: 'active',
    size_bytes: 9,
    updated_at: 1_790_000_000,
    managed_by: null,
  };

  const row = (app: WebApp, name: string) => app.button(name);

  async function upload(app: WebApp, name: string, content: string) {
    await app.page
      .locator('input[type=file][multiple]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  }
});

describe('the secrets of a vault in the web application', () => {
  it('WEB-04 STR-13: sets, imports, reveals once and deletes a secret, and keeps none', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    await unseal(app, key);
    await part(app, 'Secrets').click();
    await app.press('New set');
    await app.type('Name of the set', 'production');
    await app.press('Create set');
    await app.press('Add a secret');
    await app.type('Name', 'DB_PASSWORD');
    await app.field('Value').fill('correct horse 9k ');
    await app.press('Save');
    await app.button('Reveal DB_PASSWORD').waitFor();
    await looks.check(app.page, 'vault-secrets');
    await app.press('Import');
    await app.type('Lines', 'DB_PASSWORD=changed 4m\nTOKEN=abc');
    await app.page.getByText('1 secret is replaced:').waitFor();
    await looks.check(app.page, 'vault-import');
    await app.press('Store them');
    await app.press('Reveal DB_PASSWORD');
    await looks.check(app.page, 'vault-reveal-ask');
    await app.page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click();
    await app.page.getByText('changed 4m').waitFor();
    await looks.check(app.page, 'vault-revealed');
    await app.press('Close');
    expect(await app.page.content()).not.toContain('changed 4m');
    await app.press('Delete TOKEN');
    await app.press('Delete');
    await app.page.getByText('1 secret', { exact: true }).waitFor();
    await part(app, 'Activity').click();
    await app.page.getByText('revealed secrets', { exact: false }).waitFor();
    await looks.check(app.page, 'vault-activity');
    expect(await app.kept()).not.toMatch(/correct horse|changed 4m|DB_PASSWORD/);
    expect(app.requests.filter((url) => url.includes('changed'))).toEqual([]);
    expect(app.errors).toEqual([]);
  });

  const part = (app: WebApp, name: string) =>
    app.page.getByRole('navigation', { name: 'Parts of the vault' }).getByRole('link', { name });

  it('DVK-19: gives a program a key, shows the line that uses it, and revokes it', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    await part(app, 'Keys').click();
    await app.press('Give a key');
    await app.page.getByText('A program', { exact: true }).click();
    await app.field('What is it for?').fill('Nightly backup');
    await app.page.getByLabel('Master key').fill(key);
    await looks.check(app.page, 'vault-give-key');
    await app.press('Create key');
    const given = await app.page.getByLabel('Delegated key').innerText();
    await looks.check(app.page, 'vault-given-key');
    await app.press('I have kept it');
    await app.type('Enter the last 6 characters of the key', given.slice(-6));
    await app.press('Continue');
    await part(app, 'Files').click();
    await unseal(app, given);
    await part(app, 'Keys').click();
    await looks.check(app.page, 'vault-keys');
    await app.press('Revoke the key of Nightly backup');
    await app.press('Revoke');
    await app.page.getByText('Revoked', { exact: true }).waitFor();
    await part(app, 'Files').click();
    await app.page.getByText('Somebody has sealed this vault', { exact: false }).waitFor();
    expect(app.errors).toEqual([]);
  });
});
