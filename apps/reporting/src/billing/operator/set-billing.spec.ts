import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { changeSeats, listPaymentMethods, openCheckout } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { buildService } from '@vaultsvc/tools-testing/service-process';
import { ReportingConfig } from '../../config.js';
import { newCustomer, type Customer } from '../../testing/billing.js';
import { usePlatform } from '../../testing/platform.js';

const platform = usePlatform();

/** The instances read the profile at each call; a service that starts in production needs servers with TLS. */
function configure(settings: Partial<ReportingConfig>): void {
  for (const { context } of platform.instances) Object.assign(context.get(ReportingConfig), settings);
}
afterEach(() => configure({ PROFILE: 'local', BILLING_MANUAL_TRUSTS_TENANTS: false }));

const REFUSED = { code: 'FORBIDDEN', reason: 'BILLING_OF_OPERATOR', status: 403 };
const changesOf = (customer: Customer, invoiceId: string): Record<string, () => Promise<unknown>> => ({
  subscription: () => customer.start({ plan: 'team' }),
  'subscription/adjust': () => customer.adjust({ storage_blocks: 1 }),
  'seats/bulk': () => platform.harness.bus.call(changeSeats, { body: { add: 1 } }, customer.context),
  checkout: () =>
    platform.harness.bus.call(
      openCheckout,
      { body: { plan: 'team', seats: 0, storage_blocks: 0, bandwidth_blocks: 0 } },
      customer.context,
    ),
  charge: () => customer.charge(invoiceId),
});

/** An account with an open invoice. */
async function debtor() {
  const customer = newCustomer(platform);
  const { invoice } = await customer.start({ plan: 'team' });
  return { customer, invoiceId: invoice?.invoice_id as string };
}

describe('OPEN-65: manual billing in the production profile', () => {
  it('refuses the changes of tenants with 403 and changes nothing; they still read and preview', async () => {
    const { customer, invoiceId } = await debtor();
    const before = [await customer.subscription(), await customer.invoices()];
    configure({ PROFILE: 'production' });
    for (const [name, change] of Object.entries(changesOf(customer, invoiceId)))
      await expect(change().catch((error: unknown) => ({ name, error }))).resolves.toMatchObject({
        name,
        error: REFUSED,
      });
    expect([await customer.subscription(), await customer.invoices()]).toEqual(before);
    expect(await customer.preview({ seats: 1 })).toMatchObject({ subscription: { seats: 1 } });
    const methods = platform.harness.bus.call(listPaymentMethods, {}, customer.context);
    expect(await methods).toMatchObject({ payment_methods: [] });
  });

  it.each<[string, Partial<ReportingConfig>]>([
    ['with BILLING_MANUAL_TRUSTS_TENANTS', { PROFILE: 'production', BILLING_MANUAL_TRUSTS_TENANTS: true }],
    ['in the local profile', { PROFILE: 'local' }],
  ])('accepts them %s', async (_, settings) => {
    const { customer, invoiceId } = await debtor();
    configure(settings);
    for (const change of Object.values(changesOf(customer, invoiceId)))
      await expect(change()).resolves.toBeDefined();
  });
});

describe('OPEN-65: the program set-billing', () => {
  let bundle: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    bundle = await buildService('reporting');
    env = await platform.harness.environment('reporting', {});
  }, 60_000);

  const run = async (args: string, settings: Record<string, string> = {}) => {
    const command = ['--no-warnings', join(bundle, 'set-billing.js'), ...args.split(' ')];
    return promisify(execFile)(process.execPath, command, { env: { ...env, ...settings } }).then(
      ({ stdout }) => ({ code: 0, stderr: '', reply: JSON.parse(stdout) as Record<string, unknown> }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr, reply: {} }),
    );
  };

  it('sets plan, seats and blocks, moves the limits at once, and names the operator in the audit log', async () => {
    const { customer, invoiceId } = await debtor();
    const account = `--account ${customer.accountId}`;
    expect((await run(account)).reply).toMatchObject({
      account_id: customer.accountId,
      subscription: { plan: 'team', seats: 0 },
      open_invoices: [{ invoice_id: invoiceId, status: 'open' }],
    });
    const { reply } = await run(`${account} --plan business --seats 3 --storage-blocks 1`);
    expect(reply).toMatchObject({ subscription: { plan: 'business', seats: 3, storage_blocks: 1 } });
    const { allowance } = await customer.subscription();
    await platform.waitForSnapshot(customer.accountId, ({ identity }) => identity.limit === allowance.seats);
    const entries = await platform.sql<{ body: string }>(
      `SELECT body FROM audit_entries WHERE account_id = $1 AND event_type = 'billing_subscription_changed' ORDER BY seq`,
      [customer.accountId],
    );
    expect(entries).toHaveLength(2);
    expect(entries[1]?.body).toContain('"actor":{"id":"set-billing","kind":"operator"}');
  });

  it('marks an invoice as paid, once', async () => {
    const { customer, invoiceId } = await debtor();
    const paid = `--account ${customer.accountId} --paid ${invoiceId}`;
    for (let i = 0; i < 2; i++) expect((await run(paid)).reply).toMatchObject({ open_invoices: [] });
    expect(await customer.invoices()).toMatchObject([{ invoice_id: invoiceId, status: 'paid' }]);
  });

  it('starts an ended subscription again', async () => {
    const { customer } = await debtor();
    await platform.sql(`UPDATE subscriptions SET status = 'canceled' WHERE account_id = $1`, [
      customer.accountId,
    ]);
    const { reply } = await run(`--account ${customer.accountId} --plan business`);
    expect(reply).toMatchObject({ subscription: { plan: 'business', status: 'active' } });
  });

  it.each([
    ['--plan team', 2, '--account must be an acc_ id'],
    [`--account ${newId('acc_')} --seats -1`, 2, 'argument'],
    [`--account ${newId('acc_')} --seats x`, 2, '--seats must be a number'],
    [`--account ${newId('acc_')} --ends no`, 2, '--ends must be true or false'],
    [`--account ${newId('acc_')} --plan team`, 1, 'there is no account'],
    [`--account ${newId('acc_', 1)} --plan team`, 2, 'is of shard 1, and these are the settings of shard 0'],
  ])('refuses %s with code %i', async (args, code, message) => {
    const failed = await run(args);
    expect([failed.code, failed.stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  it('refuses a plan that is not configured, an invoice that is void or of another account, and a provider that collects', async () => {
    const [own, other] = [await debtor(), await debtor()];
    await platform.sql(`UPDATE invoices SET status = 'void' WHERE id = $1`, [own.invoiceId]);
    const account = `--account ${own.customer.accountId}`;
    for (const [args, message] of [
      [`${account} --plan gold`, 'plan must be a configured plan'],
      [`${account} --paid ${other.invoiceId}`, 'Invoice not found'],
      [`${account} --paid ${own.invoiceId}`, 'it is void'],
    ] as const)
      expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(await other.customer.invoices()).toMatchObject([{ status: 'open' }]);
    const stripe = {
      BILLING_PROVIDER: 'stripe',
      BILLING_RETURN_URL: 'http://127.0.0.1/billing',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    };
    expect(await run(account, stripe)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('BILLING_PROVIDER is stripe'),
    });
  });
});
