import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readAuditIntegrity } from '@vaultsvc/contracts/reporting';
import { createSpark } from '@vaultsvc/contracts/sparks';
import { createVault } from '@vaultsvc/contracts/vaults';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import type { BrowserContext } from 'playwright-core';
import { newSpark } from '../access/link-samples.js';
import { Looks } from '../browser/looks.js';
import { newEmail, signUpOrganization } from '../sign-in.js';
import { useContext } from './use-context.js';
import { WebApp } from './web-app.js';

const AUDIT = new URL('../../../../tools/audit/run.ts', import.meta.url).pathname;
const SPARKS = 60; // more than a page
const owner = newEmail();
const looks = new Looks('web-audit');

let context: BrowserContext;
let client: Api;
beforeAll(async () => {
  ({ client } = await signUpOrganization('Laundry & Söhne', { email: owner }));
  succeeded(await client.call(createVault, { body: { name: 'Contracts' } }));
  for (let count = 0; count < SPARKS; count++)
    succeeded(await client.call(createSpark, { body: newSpark() }));
  await eventually(
    async () => succeeded(await client.call(readAuditIntegrity, {})),
    ({ state }) => state === 'verified',
  );
});
useContext((own) => (context = own), { acceptDownloads: true });

async function openAudit(query = ''): Promise<WebApp> {
  const app = await WebApp.openIn(context, `/app/audit${query}`);
  await app.signIn(owner);
  await app.heading('Audit').waitFor();
  return app;
}

const entriesOf = (app: WebApp) =>
  app.page.getByRole('list', { name: 'Audit entries' }).getByRole('listitem');

describe('The audit log in the web application', () => {
  it('AUD-06 AUD-08 AUD-10: lists entries with their details, page by page', async () => {
    const app = await openAudit();
    await entriesOf(app).nth(49).waitFor();
    const created = entriesOf(app).filter({ hasText: 'Created a secret' }).first();
    await created.getByText(owner, { exact: false }).waitFor();
    await created.getByText('Details').click();
    await created.getByText('spark_id').waitFor();
    await looks.check(app.page, 'audit');
    await app.press('Load more');
    await entriesOf(app).nth(SPARKS).waitFor();
    await app.page.locator('h1:focus').waitFor();
    await entriesOf(app).filter({ hasText: 'Vault Contracts' }).first().waitFor();
    expect(app.errors).toEqual([]);
  });

  it('AUD-08: filters by type, actor and days, which the address keeps', async () => {
    const app = await openAudit('?type=vault_created');
    await entriesOf(app).first().getByText('Created a vault').waitFor();
    expect(await entriesOf(app).count()).toBe(1);
    expect(await app.page.getByLabel('Type', { exact: true }).inputValue()).toBe('vault_created');
    await app.page.getByLabel('Who', { exact: true }).selectOption({ label: owner });
    await app.page.waitForURL(/\?type=vault_created&actor=usr_[0-9A-Za-z_]+$/);
    await app.page.getByLabel('Until', { exact: true }).fill('2020-01-01');
    await app.page.getByText('Nothing matches.', { exact: false }).waitFor();
    await looks.check(app.page, 'nothing');
    await app.page.getByLabel('From', { exact: true }).fill('2021-01-01');
    await app.page.getByText('The first day is after the last one.', { exact: false }).waitFor();
    await looks.check(app.page, 'wrong-days');
    await app.press('Show all');
    await app.page.waitForURL(/\/app\/audit$/);
    await entriesOf(app).nth(49).waitFor();
    expect(app.errors).toEqual([]);
  });

  it('AUD-14: says what was proven, and by whom', async () => {
    const app = await openAudit();
    const integrity = app.page.getByRole('region', { name: 'Integrity', exact: true });
    await integrity.getByText('Verified', { exact: true }).waitFor();
    await integrity.getByText(/^All \d+ entries follow from each other/).waitFor();
    await integrity.getByText('This server made the check.', { exact: false }).waitFor();
    await integrity.getByRole('button', { name: 'Check again' }).click();
    await app.page.getByText('The log was checked.').waitFor();
    expect(app.errors).toEqual([]);
  });

  it.each([
    ['pending', 'Not published yet', 'Nothing is wrong'],
    ['broken', 'Does not match', 'Somebody may have changed them'],
  ])('AUD-14: says in words that the log is %s', async (state, badge, text) => {
    const integrity = { state, entries: 3, logged_entries: 0, tree_size: 0, origin: 'log', keys: [] };
    await context.route('**/v1/audit-logs/integrity', (route) =>
      route.fulfill({ json: { data: integrity, meta: {} } }),
    );
    const app = await openAudit('?type=vault_created');
    await app.page.getByText(badge, { exact: true }).waitFor();
    await app.page.getByText(text, { exact: false }).waitFor();
    await looks.check(app.page, state);
  });
});

describe('An export of the audit log in the web application', () => {
  it('AUD-14 AUD-15: as JSON Lines verifies offline, and no address has a token', async () => {
    const app = await openAudit();
    await openExport(app);
    const path = await saved(app, () => pressExport(app));
    expect(path).toMatch(/audit-log-\d{4}-\d\d-\d\d\.jsonl$/);
    expect((await readFile(path, 'utf8')).match(/"type":"spark_created"/g)).toHaveLength(SPARKS);
    expect(await audit('verify', path)).toMatchObject({ code: 0, output: expect.stringContaining('INTACT') });
    await app.page.getByText(/^Saved audit-log-/).waitFor();
    await looks.check(app.page, 'exported');
    const urls = app.requests.filter((url) => url.includes('/audit-logs/export'));
    expect(urls.map((url) => new URL(url).search)).toEqual(['?format=jsonl']);
    await rm(join(path, '..'), { recursive: true });
    expect(app.errors).toEqual([]);
  });

  it('AUD-15: as CSV is for the chosen days', async () => {
    const app = await openAudit('?to=2020-01-01');
    await openExport(app);
    await app.page.getByRole('radio', { name: 'CSV' }).check({ force: true });
    const path = await saved(app, () => pressExport(app));
    expect(path).toMatch(/\.csv$/);
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(1); // the names of the columns
    await rm(join(path, '..'), { recursive: true });
  });

  it('WEB-07: that breaks off saves nothing, and begins again by the same button', async () => {
    const app = await openAudit();
    await context.route('**/v1/audit-logs/export*', (route) => route.abort());
    await openExport(app);
    await pressExport(app);
    await app.page.getByText('Nothing was saved.', { exact: false }).waitFor();
    await looks.check(app.page, 'export-failed');
    await context.unroute('**/v1/audit-logs/export*');
    await saved(app, () => pressExport(app));
  });
});

/** Opens the dialog, whose button has the same name: what is below a dialog is hidden. */
async function openExport(app: WebApp): Promise<void> {
  await app.press('Export');
  await app.page.getByRole('dialog', { name: 'Export the audit log' }).waitFor();
}

/** The button of the dialog; that of the page, which opened it, has the same name. */
const pressExport = (app: WebApp) =>
  app.page
    .getByRole('dialog', { name: 'Export the audit log' })
    .getByRole('button', { name: 'Export', exact: true })
    .click();

/** The path of the file that an action saves. */
async function saved(app: WebApp, act: () => Promise<void>): Promise<string> {
  const downloading = app.page.waitForEvent('download');
  await act();
  const download = await downloading;
  const path = join(await mkdtemp(join(tmpdir(), 'audit-export-')), download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Exit code and output of `npm run audit`. */
const audit = (...args: readonly string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [AUDIT, ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
