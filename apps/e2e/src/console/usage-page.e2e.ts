import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inviteUser } from '@vaultsvc/contracts/auth';
import { readAuditIntegrity } from '@vaultsvc/contracts/reporting';
import { createSpark } from '@vaultsvc/contracts/sparks';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import type { Browser, BrowserContext } from 'playwright-core';
import { newSpark } from '../access/link-samples.js';
import { closeContext, launchBrowser, openContext } from '../browser/browser.js';
import { axeViolations } from '../browser/axe.js';
import { Looks } from '../browser/looks.js';
import { joinOrganization, newEmail, signIn, signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';
import { ConsolePage } from './console-page.js';

const AUDIT = new URL('../../../../tools/audit/run.ts', import.meta.url).pathname;
const SPARKS = 30;
const owner = newEmail();

let browser: Browser;
let context: BrowserContext;
let client: Api;

beforeAll(async () => {
  [browser, { client }] = await Promise.all([
    launchBrowser(),
    signUpOrganization('Console & Söhne', { email: owner }),
  ]);
  for (let count = 0; count < SPARKS; count++)
    succeeded(await client.call(createSpark, { body: newSpark() }));
});
beforeEach(async () => {
  context = await openContext(browser, { viewport: { width: 1280, height: 800 }, acceptDownloads: true });
});
afterEach(() => closeContext(context));
afterAll(() => browser.close());

/** Signs the owner in and waits for the figures. */
async function openUsage(query = '', inContext = context): Promise<ConsolePage> {
  const tab = await ConsolePage.openIn(inContext, query);
  await tab.signIn(owner);
  await tab.waitUntilLoaded();
  return tab;
}

describe('OPEN-65: an admin at /console/usage', () => {
  it('AUTH-36 AUTH-28: signs in at the own redirect URI, and no script can read the refresh token', async () => {
    const callbacks: URL[] = [];
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/console/callback') callbacks.push(url);
    });
    const tab = await openUsage();
    expect(callbacks).toHaveLength(1);
    expect(callbacks[0]?.searchParams.get('code')).toBeTruthy();
    expect(tab.page.url()).toBe(`${stack().api_url}/console/usage`);
    await tab.page.getByText(owner).first().waitFor();
    const kept = '[document.cookie, { ...sessionStorage }, { ...localStorage }]';
    expect(await tab.page.evaluate(`JSON.stringify(${kept})`)).toBe('["",{},{}]');
    await tab.page.reload();
    await tab.waitUntilLoaded();
    expect(tab.errors).toEqual([]);
  });

  it('ENV-11 RPT-11 RPT-16: sees pools, charts and activity of what the account did', async () => {
    const tab = await openUsage();
    const pools = tab.section('Pools');
    expect(await pools.getByRole('meter').count()).toBe(3);
    await pools.getByText('1 of 1,000 seats').waitFor();
    await tab.refreshUntilVisible(String(SPARKS), 'Operations and Sparks');
    const usage = tab.section('Operations and Sparks');
    await usage.locator('summary', { hasText: 'As a table' }).last().click();
    const table = usage.getByRole('region', { name: 'Sparks created by day' });
    expect(await table.getByRole('row').count()).toBe(32); // the heading and 31 days
    await table.getByRole('cell', { name: String(SPARKS), exact: true }).waitFor();
    expect(await usage.getByRole('img', { name: /Sparks created: 30 in 31 days/ }).count()).toBe(1);
    expect(await usage.locator('canvas').count()).toBe(2);
    expect(await tab.section('Bandwidth').locator('canvas').count()).toBe(1);
    const activity = tab.section('Activity').getByRole('listitem');
    expect(await activity.filter({ hasText: 'Spark created' }).count()).toBe(SPARKS);
    expect(tab.errors).toEqual([]);
  });

  it('AUD-06 AUD-08 AUD-10: sees a new audit entry, filters by type and loads more pages', async () => {
    const tab = await openUsage();
    const entries = tab.section('Audit log').getByRole('listitem');
    await tab.refreshUntilVisible('Spark created', 'Audit log');
    expect(await entries.count()).toBe(25);
    await tab.button('Load more').click();
    await entries.nth(SPARKS).waitFor();
    expect(await tab.page.evaluate('document.activeElement.tagName')).toBe('LI');
    await tab.page.getByLabel('Type').selectOption({ label: 'Spark created' });
    await tab.page.waitForURL(/\?type=spark_created$/);
    await tab.page.locator('main:not(:has([aria-busy]))').waitFor();
    expect(await entries.count()).toBe(25);
    expect(await entries.filter({ hasText: 'Spark created' }).count()).toBe(25);
    await entries.first().getByText('Details').click();
    await entries.first().getByText('spark_id').waitFor();
    expect(tab.errors).toEqual([]);
  });

  it('AUD-14: sees in words that the log is verified', async () => {
    const covered = await eventually(
      async () => succeeded(await client.call(readAuditIntegrity, {})),
      ({ state }) => state === 'verified',
    );
    const tab = await openUsage();
    const integrity = tab.section('Integrity of the audit log');
    await integrity.getByText('Verified').waitFor();
    const [, shown = '0'] = /contains entry (\d+)/.exec(await integrity.innerText()) ?? [];
    expect(Number(shown)).toBeGreaterThanOrEqual(covered.logged_entries);
  });

  it('AUD-14 AUD-15: exports a file that npm run audit verifies', async () => {
    const tab = await openUsage();
    const downloading = tab.page.waitForEvent('download');
    await tab.button('Export').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.jsonl$/);
    const folder = await mkdtemp(join(tmpdir(), 'console-export-'));
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    expect((await readFile(path, 'utf8')).match(/"type":"spark_created"/g)).toHaveLength(SPARKS);
    expect(await audit('verify', path)).toMatchObject({ code: 0, output: expect.stringContaining('INTACT') });
    await tab.page
      .getByText(/^Saved audit-log-/)
      .first()
      .waitFor();
    await rm(folder, { recursive: true });
    expect(tab.errors).toEqual([]);
  });
});

/** Exit code and output of `npm run audit`. */
const audit = (...args: readonly string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [AUDIT, ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });

describe('OPEN-65: a session of the console', () => {
  it('AUTH-25 AUTH-28: ends with the button, and the next sign-in asks who the person is', async () => {
    const tab = await openUsage();
    await tab.button('Sign out').click();
    await tab.heading('You are signed out').waitFor();
    expect((await context.cookies()).filter(({ name }) => name === '__Host-vk_refresh')).toEqual([]);
    await tab.button('Sign in').click();
    await tab.page.getByLabel('E-mail address').waitFor();
  });

  it('AUTH-26: that has ended elsewhere leaves the figures and the filter, and continues there after a sign-in', async () => {
    const tab = await openUsage('?type=spark_created');
    const other = await ConsolePage.openIn(context);
    await other.waitUntilLoaded();
    await other.button('Sign out').click();
    await other.heading('You are signed out').waitFor();
    await tab.button('Refresh').click();
    await tab.page.getByText('Your session has ended. The figures').waitFor();
    expect(await tab.section('Audit log').count()).toBe(1);
    await tab.button('Sign in again').click();
    // The figures of before stay until the provider has redirected back.
    await tab.page.getByText('Your session has ended. The figures').waitFor({ state: 'detached' });
    await tab.waitUntilLoaded();
    expect(tab.page.url()).toMatch(/\/console\/usage\?type=spark_created$/);
    expect(await tab.page.getByLabel('Type').inputValue()).toBe('spark_created');
  });

  it('AUTH-04: does not start with an answer that this tab has not asked for', async () => {
    const tab = await openUsage();
    const posts: string[] = [];
    tab.page.on(
      'request',
      (request) => void posts.push(`${request.method()} ${new URL(request.url()).pathname}`),
    );
    await tab.page.goto(`${stack().api_url}/console/callback?code=stolen&state=forged`);
    await tab.page.getByText('This answer belongs to another sign-in.').waitFor();
    expect(tab.page.url()).toBe(`${stack().api_url}/app`);
    expect(posts).not.toContain('POST /v1/auth/identity/token');
  });
});

describe('AMB-17 OPEN-59: a person who is no admin', () => {
  it('OPEN-65: reads that an admin is needed, without any figure', async () => {
    const email = newEmail();
    succeeded(await client.call(inviteUser, { body: { email, role: 'member', seat: 'full' } }));
    await joinOrganization({ email });
    const tab = await ConsolePage.openIn(context);
    await tab.signIn(email);
    await tab.heading('An admin is needed').waitFor();
    await tab.page.getByText('a member of Console & Söhne').waitFor();
    expect(await tab.page.getByRole('region').count()).toBe(0);
    expect(await axeViolations(tab.page)).toEqual([]);
    expect(tab.errors).toEqual([]);
  });

  it('OPEN-65: without an organization reads what to do, and sees the invitations', async () => {
    const [email, invitee] = [newEmail(), newEmail()];
    await signIn({ email });
    const tab = await ConsolePage.openIn(context);
    await tab.signIn(email);
    await tab.heading('You have no organization yet').waitFor();
    await tab.page.getByText('sign in with your account at its identity provider').waitFor();
    const guide = await tab.page.getByRole('link', { name: 'Sessions' }).getAttribute('href');
    expect(guide).toBe('/docs/guides/sessions#a-session-without-an-account');
    succeeded(await client.call(inviteUser, { body: { email: invitee, role: 'admin', seat: 'full' } }));
    await tab.button('Use another account').click();
    await tab.page.getByLabel('E-mail address').fill(invitee);
    await tab.button('Continue').click();
    await tab.page.getByRole('listitem').filter({ hasText: 'Console & Söhne, as admin, until' }).waitFor();
    expect(tab.errors).toEqual([]);
  });
});

describe('OPEN-65: the usage page without a service', () => {
  it('MISC-01: shows the other panels, and tries one again', async () => {
    let isDown = true;
    await context.route('**/v1/analytics/usage-over-time*', (route) =>
      isDown
        ? route.fulfill({
            status: 500,
            body: '{"error":{"code":"INTERNAL_ERROR"},"meta":{"request_id":"req_1"}}',
          })
        : route.continue(),
    );
    const tab = await openUsage();
    const usage = tab.section('Operations and Sparks');
    await usage.getByRole('alert').getByText('The request was req_1.').waitFor();
    await tab.section('Audit log').getByRole('listitem').first().waitFor();
    isDown = false;
    await usage.getByRole('button', { name: 'Try again' }).click();
    await usage.locator('figure').first().waitFor();
  });
});

describe('OPEN-65: a person without a mouse', () => {
  it('signs in, opens a table and details, filters, exports and loads more by keyboard', async () => {
    const tab = await ConsolePage.openIn(context);
    const { keyboard } = tab.page;
    await tab.heading('Sign in to see the usage').waitFor();
    const focused = () =>
      tab.page.evaluate<string>(
        '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()',
      );
    const tabTo = async (name: RegExp) => {
      for (let steps = 0; steps < 80; steps++) {
        await keyboard.press('Tab');
        if (name.test(await focused())) return;
      }
      throw new Error(`Tab never reached ${name.source}; the focus is on ${await focused()}`);
    };
    await tabTo(/^Sign in$/);
    await keyboard.press('Enter');
    await tab.page.locator('input:focus').waitFor();
    await keyboard.type(owner);
    await keyboard.press('Enter');
    await tab.waitUntilLoaded();
    await tabTo(/^Operations as a table$/);
    await keyboard.press('Enter');
    await tab.page.getByRole('region', { name: 'Operations by day' }).waitFor();
    await tabTo(/^All types/);
    const filtered = tab.page.waitForURL(/\?type=/);
    await keyboard.press('ArrowDown');
    await filtered;
    await keyboard.press('Home');
    await tab.page.waitForURL(/\/console\/usage$/);
    await tab.page.locator('main:not(:has([aria-busy]))').waitFor();
    await tabTo(/^Export$/);
    const downloading = tab.page.waitForEvent('download');
    await keyboard.press('Enter');
    await downloading;
    await tabTo(/^Details: /);
    await keyboard.press('Enter');
    await tabTo(/^Load more$/);
    await keyboard.press('Enter');
    await tab.section('Audit log').getByRole('listitem').nth(25).waitFor();
    expect(tab.errors).toEqual([]);
  });
});

describe('OPEN-65: the usage page on phone and desktop, light and dark', () => {
  it('fits the screen, can be read, and axe finds nothing wrong', async () => {
    const own = await openContext(browser, { reducedMotion: 'reduce' });
    const tab = await ConsolePage.openIn(own);
    const looks = new Looks('console');
    await tab.heading('Sign in to see the usage').waitFor();
    await looks.check(tab.page, 'sign-in');
    await tab.signIn(owner);
    await tab.waitUntilLoaded();
    await tab.refreshUntilVisible(String(SPARKS), 'Operations and Sparks');
    await looks.check(tab.page, 'usage');
    await tab.section('Audit log').getByText('Details').first().click();
    await looks.check(tab.page, 'usage-details');
    expect(tab.errors).toEqual([]);
    await own.close();
  });
});
