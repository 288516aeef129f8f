import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { newEmail } from '../sign-in.js';
import { useContext } from './use-context.js';
import { createVault, openVaults, unseal } from './vault-steps.js';
import { WebApp } from './web-app.js';

const looks = new Looks('web-billing');

let context: BrowserContext;
useContext((own) => (context = own), { acceptDownloads: true });

const listed = (app: WebApp, list: string) =>
  app.page.getByRole('list', { name: list, exact: true }).getByRole('listitem');

/** A new owner in Billing. */
async function openBilling(): Promise<WebApp> {
  const app = await WebApp.openIn(context);
  await app.signUp(newEmail());
  await app.place('Billing').click();
  await app.page.getByText('Seats: 1,000, 1 in use').waitFor();
  return app;
}

/** Changes the number of seats, and confirms the cost. */
async function changeSeats(app: WebApp, count: string, due: string | RegExp): Promise<void> {
  await app.press('Change: Seats');
  await app.page.getByRole('spinbutton').fill(count);
  await app.inDialog('See the cost').click();
  await app.page.getByRole('dialog').getByText(due).waitFor();
  await app.inDialog('Confirm the change').click();
  await app.page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe('Billing in the web application', () => {
  it('BIL-02 BIL-07: buys seats at the cost that was shown, and gives one back', async () => {
    const app = await openBilling();
    await app.page.getByText('There is no invoice yet.').waitFor();
    await looks.check(app.page, 'new');
    await app.press('Change: Seats');
    await app.page.getByRole('spinbutton').fill('-1');
    await app.page.getByText('Enter a whole number from 0 to 10,000.').waitFor();
    await looks.check(app.page, 'wrong-count');
    await app.page.getByRole('spinbutton').fill('2');
    await app.inDialog('See the cost').click();
    const cost = app.page.getByRole('dialog').getByRole('region', { name: 'This changes' });
    await cost.getByText('1,002', { exact: true }).waitFor();
    await cost.getByText('€10.00 for 30 days').waitFor();
    const due = String(await cost.locator('strong').textContent());
    await looks.check(app.page, 'cost');
    await app.inDialog('Confirm the change').click();
    await app.page.getByText('Seats: 1,002, 1 in use').waitFor();
    await listed(app, 'Invoices').getByText(due, { exact: true }).waitFor();
    await app.button('Change: Seats').and(app.page.locator(':focus')).waitFor();
    await app.page.getByText('€10.00 for 30 days').waitFor();
    await changeSeats(app, '1', /is credited to the next invoices$/);
    await app.page.getByText('Seats: 1,001, 1 in use').waitFor();
    await listed(app, 'Invoices').nth(1).waitFor();
    await looks.check(app.page, 'billing');
    expect(app.errors).toEqual([]);
  });

  it('BIL-07 BIL-10: shows and saves an invoice, and notes that it was paid', async () => {
    const app = await openBilling();
    await changeSeats(app, '3', 'Due now');
    const invoice = listed(app, 'Invoices').first();
    await invoice.getByRole('button', { name: 'Show' }).click();
    await app.page.getByText('Seats: 3 at €5.00', { exact: false }).waitFor();
    await looks.check(app.page, 'invoice');
    const downloading = app.page.waitForEvent('download');
    await app.inDialog('Save').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^invoice-in_\w+\.txt$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain('Seats: 3 at €5.00');
    await app.page.keyboard.press('Escape');
    await invoice.getByRole('button', { name: 'Mark as paid' }).click();
    await looks.check(app.page, 'pay');
    await app.inDialog('Mark as paid').click();
    await invoice.getByText('Paid', { exact: true }).waitFor();
    await app.page.locator('h1:focus').waitFor();
    expect(app.errors).toEqual([]);
  });

  it('BIL-02: changes the plan, cancels it with its period, and keeps it', async () => {
    const app = await openBilling();
    await app.press('Change plan');
    await app.field('Name of the plan').fill('team');
    await app.inDialog('See the cost').click();
    await app.page.getByRole('dialog').getByText('€49.00 for 30 days').waitFor();
    await looks.check(app.page, 'plan');
    await app.inDialog('Confirm the change').click();
    await app.heading('Plan team').waitFor();
    await app.press('Cancel plan');
    await looks.check(app.page, 'cancel');
    await app.inDialog('Cancel plan').click();
    await app.page.getByText('then it ends', { exact: false }).waitFor();
    await app.press('Keep the plan');
    await app.page.getByText('then it renews', { exact: false }).waitFor();
    expect(app.errors).toEqual([]);
  });

  it('BIL-02: asks for the cost again when the subscription has changed meanwhile', async () => {
    const app = await openBilling();
    const other = await WebApp.openIn(context, '/app/billing');
    await app.press('Change: Seats');
    await app.page.getByRole('spinbutton').fill('2');
    await app.inDialog('See the cost').click();
    await app.inDialog('Confirm the change').waitFor();
    await changeSeats(other, '5', 'Due now');
    await app.inDialog('Confirm the change').click();
    await app.page.getByText('This cost is no longer right', { exact: false }).waitFor();
    expect(await app.page.getByRole('spinbutton').inputValue()).toBe('2');
    await looks.check(app.page, 'changed-meanwhile');
    await app.inDialog('See the cost').waitFor();
  });
});

describe('Payment methods in the web application', () => {
  it('BIL-03 BIL-05 BIL-06: are noted without a provider, made the default and removed', async () => {
    const app = await openBilling();
    for (const label of ['Order 4711', 'Order 4712']) {
      await app.press('Add a payment method');
      await app.type('Label', label);
      await app.inDialog('Add a payment method').click();
      await listed(app, 'Payment methods').getByText(label).waitFor();
    }
    await app.press('Make default: Order 4712');
    await app.button('Make default: Order 4711').waitFor();
    await looks.check(app.page, 'methods');
    await app.press('Remove: Order 4711');
    await app.inDialog('Remove').click();
    await listed(app, 'Payment methods').getByText('Order 4711').waitFor({ state: 'detached' });
    expect(app.errors).toEqual([]);
  });

  it('BIL-09: are added on the page of the provider, if there is one', async () => {
    const page = 'https://billing.example/session';
    await context.route('**/v1/billing/portal', (route) =>
      route.fulfill({ status: 201, json: { data: { provider: 'stripe', url: page }, meta: {} } }),
    );
    await context.route(page, (route) => route.fulfill({ contentType: 'text/html', body: 'The portal' }));
    const app = await openBilling();
    await app.press('Add a payment method');
    await app.page.waitForURL(page);
  });
});

describe('ENV-23: a full pool', () => {
  const refuseAt = (path: string, resource: string) =>
    context.route(path, (route) => {
      const error = { code: 'QUOTA_EXCEEDED', message: 'Full.', details: { resource } };
      const json = { error, meta: { request_id: 'req_1' } };
      return route.request().method() === 'POST' ? route.fulfill({ status: 402, json }) : route.fallback();
    });

  it('WEB-06 WEB-07: leads from Send to Billing, and keeps what was typed', async () => {
    await refuseAt('**/v1/sparks', 'storage');
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.type('Your secret', 'correct horse');
    await app.press('Create link');
    await app.page.getByText('The storage of your organization is full.', { exact: false }).waitFor();
    await looks.check(app.page, 'full-pool');
    await app.page.getByRole('link', { name: 'Go to billing' }).click();
    await app.heading('Billing').waitFor();
    await app.place('Send').click();
    expect(await app.field('Your secret').inputValue()).toBe('correct horse');
    expect(app.errors).toEqual([]);
  });
  it('WEB-07 WEB-13: leads from an upload to Billing', async () => {
    await refuseAt('**/v1/vaults/*/ingots', 'bandwidth');
    const app = await openVaults(context);
    await unseal(app, await createVault(app));
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') };
    await app.page.locator('input[type=file][multiple]').setInputFiles(file);
    const said = app.page
      .getByRole('alert')
      .getByText('Your organization has used up its bandwidth.', { exact: false });
    await said.waitFor();
    await looks.check(app.page, 'full-pool-upload');
    await app.page.getByRole('link', { name: 'Go to billing' }).click();
    await app.heading('Billing').waitFor();
    expect(app.errors).toEqual([]);
  });
});
