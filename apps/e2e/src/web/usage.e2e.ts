import { describe, expect, it } from '@jest/globals';
import { inviteUser } from '@vaultsvc/contracts/auth';
import { createVault } from '@vaultsvc/contracts/vaults';
import { succeeded } from '@vaultsvc/testing/http';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { joinOrganization, newEmail, signUpOrganization } from '../sign-in.js';
import { useContext } from './use-context.js';
import { WebApp } from './web-app.js';

const looks = new Looks('web-usage');

let context: BrowserContext;
useContext((own) => (context = own));

const section = (app: WebApp, name: string) => app.page.getByRole('region', { name, exact: true });

/** Refreshes until a section has the text: usage is counted soon after its call. */
async function refreshUntilVisible(app: WebApp, name: string, text: string): Promise<void> {
  const found = section(app, name).getByText(text, { exact: true }).first();
  while ((await found.count()) === 0) {
    const answered = app.page.waitForResponse(/\/v1\/usage\/bandwidth/);
    await app.press('Refresh');
    await answered;
    await app.page.locator('button:not([data-busy])', { hasText: 'Refresh' }).waitFor();
  }
}

describe('Usage in the web application', () => {
  it('ENV-11 RPT-11 RPT-16: shows what a new account has sent, with limits and charts', async () => {
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.place('Usage').click();
    const limits = section(app, 'Limits');
    await limits.getByText('1 of 1,000 seats').waitFor();
    expect(await limits.getByRole('meter').count()).toBe(3);
    await app.page.getByText('There is no vault.', { exact: false }).waitFor();
    await app.page.getByText('Nothing happened in the last 24 hours.').waitFor();
    await looks.check(app.page, 'empty');

    await app.place('Send').click();
    await app.type('Your secret', 'correct horse');
    await app.press('Create link');
    await app.button('Copy link').waitFor();
    await app.place('Usage').click();
    await refreshUntilVisible(app, 'Latest activity', 'Spark created');
    await refreshUntilVisible(app, 'Over time', 'Secrets sent');
    const chart = section(app, 'Over time').getByRole('figure', { name: 'Secrets sent' });
    await chart.getByRole('img', { name: /Secrets sent: 1 in all/ }).waitFor();
    await chart.getByText('As a table').click();
    const table = chart.getByRole('region', { name: 'Secrets sent as a table' });
    expect(await table.getByRole('row').count()).toBe(32); // the heading and 31 days
    await looks.check(app.page, 'usage');
    expect(app.errors).toEqual([]);
  });

  it('RPT-08: keeps the period in the address, and names the vault that stores most', async () => {
    const owner = newEmail();
    const { client } = await signUpOrganization('Laundry & Söhne', { email: owner });
    succeeded(await client.call(createVault, { body: { name: 'Contracts' } }));
    const app = await WebApp.openIn(context, '/app/usage?period=day');
    await app.signIn(owner);
    await section(app, 'Where most of it goes').getByRole('link', { name: 'Contracts' }).waitFor();
    await refreshUntilVisible(app, 'Over time', 'Operations');
    expect(await app.page.getByRole('radio', { name: '24 hours' }).isChecked()).toBe(true);
    await section(app, 'Over time').getByText('As a table').first().click();
    await app.page.getByRole('columnheader', { name: 'Hour' }).waitFor();
    await looks.check(app.page, 'day');
    await app.page.getByRole('radio', { name: '24 hours' }).press('ArrowRight');
    await app.page.waitForURL(/\/app\/usage\?period=week$/);
    await section(app, 'Over time').locator('svg rect').nth(7).waitFor({ state: 'attached' });
    expect(app.errors).toEqual([]);
  });

  it('WEB-15: shows the other sections when one fails, and tries that again', async () => {
    let isDown = true;
    await context.route('**/v1/analytics/usage-over-time*', (route) =>
      isDown
        ? route.fulfill({
            status: 500,
            body: '{"error":{"code":"INTERNAL_ERROR"},"meta":{"request_id":"req_1"}}',
          })
        : route.continue(),
    );
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.place('Usage').click();
    await section(app, 'Over time').getByText('The request was req_1.', { exact: false }).waitFor();
    await section(app, 'Limits').getByRole('meter').first().waitFor();
    await looks.check(app.page, 'failed');
    isDown = false;
    await section(app, 'Over time').getByRole('button', { name: 'Try again' }).click();
    await section(app, 'Over time').getByText('Nothing was used in this time.', { exact: false }).waitFor();
  });

  it('OPEN-65: leads the bookmark of the former usage page here', async () => {
    const owner = newEmail();
    await signUpOrganization('Laundry & Söhne', { email: owner });
    const app = await WebApp.openIn(context, '/console/usage');
    await app.page.waitForURL(/\/app\/usage$/);
    await app.signIn(owner);
    await section(app, 'Limits').getByRole('meter').first().waitFor();
  });
});

describe('AMB-17: a member in Usage, Audit and Billing', () => {
  it('WEB-06: reads who can help, and sees no figure', async () => {
    const { client } = await signUpOrganization('Laundry & Söhne');
    const email = newEmail();
    succeeded(await client.call(inviteUser, { body: { email, role: 'member', seat: 'full' } }));
    await joinOrganization({ email });
    const app = await WebApp.openIn(context, '/app/usage');
    await app.signIn(email);
    await app.page.getByText('Usage is for admins and owners.', { exact: false }).waitFor();
    await looks.check(app.page, 'refused');
    expect(await app.place('Usage').count()).toBe(0);
    for (const [path, text] of [
      ['audit', 'The audit log is for admins and owners.'],
      ['billing', 'Billing is for admins and owners.'],
    ] as const) {
      await app.page.goto(app.page.url().replace(/[a-z]+$/, path));
      await app.page.getByText(text, { exact: false }).waitFor();
      expect(await app.page.getByRole('main').getByRole('region').count()).toBe(0);
    }
    expect(app.requests.filter((url) => /\/v1\/(usage|analytics|audit-logs|billing)/.test(url))).toEqual([]);
    expect(app.errors).toEqual([]);
  });
});
