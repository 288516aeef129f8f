import { describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { newCustomer, PERIOD } from '../../testing/billing.js';
import { usePlatform } from '../../testing/platform.js';
import { SubscriptionRepository } from './subscription.repository.js';

const GIB = 1024 ** 3;
const platform = usePlatform({
  STORAGE_POOL_BYTES: '1000',
  BANDWIDTH_POOL_BYTES: '2000',
  IDENTITY_POOL_SEATS: '3',
});

const euros = (amount: number) => ({ amount, currency: 'eur' });
const use = (account: string, set: string) =>
  platform.sql(`UPDATE pools SET ${set}, version = version + 1 WHERE account_id = $1`, [account]);

describe('BIL-01 OPEN-04 OPEN-31: the subscription', () => {
  it('of a new account is an active one to the default plan, and free', async () => {
    const subscription = await newCustomer(platform).subscription();
    expect(subscription).toMatchObject({
      status: 'active',
      biller: 'manual',
      plan: 'default',
      seats: 0,
      storage_blocks: 0,
      bandwidth_blocks: 0,
      allowance: { storage_bytes: 1000, bandwidth_bytes: 2000, seats: 3 },
      price: euros(0),
      credit_balance: euros(0),
      cancel_at_period_end: false,
      version: 1,
    });
    expect(subscription.current_period_end - subscription.current_period_start).toBe(PERIOD);
  });

  it('of an account whose plan has ended is canceled', async () => {
    const customer = newCustomer(platform);
    await platform.reserve(customer.accountId, newId('res_'), 1);
    await use(customer.accountId, `status = 'none'`);
    expect(await customer.subscription()).toMatchObject({ status: 'canceled' });
  });

  it('starts with a full period and an open invoice, and lifts the limits at once', async () => {
    const customer = newCustomer(platform);
    const { subscription, invoice } = await customer.start({ plan: 'team', seats: 2 });
    expect(subscription).toMatchObject({ plan: 'team', seats: 2, price: euros(5_700), version: 2 });
    expect(invoice).toMatchObject({
      status: 'open',
      billing_reason: 'subscription_create',
      total: euros(5_700),
      amount_due: euros(5_700),
      paid_at: null,
    });
    expect(invoice?.lines).toMatchObject([
      { item: 'plan', quantity: 1, unit_price: euros(4_900), amount: euros(4_900), proration: false },
      { item: 'seat', quantity: 2, unit_price: euros(400), amount: euros(800), proration: false },
    ]);
    expect(await customer.subscription()).toEqual(subscription);
    expect(await customer.invoices()).toEqual([invoice]);
    const snapshot = await platform.waitForSnapshot(
      customer.accountId,
      ({ identity }) => identity.limit === 17,
    );
    expect(snapshot).toMatchObject({ storage: { limit: 1_024 * GIB }, bandwidth: { limit: 2_048 * GIB } });
  });

  it('AUD-01: is in the audit log with its caller after each change, and not after a refused one', async () => {
    const customer = newCustomer(platform);
    await customer.start({ plan: 'team', seats: 2 });
    await expect(customer.start({ plan: 'unheard-of' })).rejects.toThrow();
    const entries = await platform.sql<{ event_type: string; body: string }>(
      `SELECT event_type, body FROM audit_entries WHERE account_id = $1`,
      [customer.accountId],
    );
    expect(entries.map(({ event_type }) => event_type)).toEqual(['billing_subscription_changed']);
    expect(JSON.parse(entries[0]?.body ?? '')).toMatchObject({
      actor_id: expect.any(String),
      details: { plan: 'team', status: 'active', seats: 2, invoice_id: expect.stringMatching(/^in_/) },
    });
  });

  it('refuses a plan that is not configured', async () => {
    const customer = newCustomer(platform);
    const reason = 'VALIDATION_ERROR';
    await expect(customer.start({ plan: 'golden' })).rejects.toMatchObject({ reason });
    await expect(customer.adjust({ plan: 'golden' })).rejects.toMatchObject({ reason });
    await expect(customer.preview({ plan: 'golden' })).rejects.toMatchObject({ reason });
    expect(await customer.subscription()).toMatchObject({ plan: 'default', version: 1 });
  });

  it('MISC-06 ENV-24: with a block lifts the limit of an exhausted pool in the same call', async () => {
    const customer = newCustomer(platform);
    const { accountId } = customer;
    await platform.reserve(accountId, newId('res_'), 1_000);
    await expect(platform.reserve(accountId, newId('res_'), 1)).rejects.toMatchObject({
      reason: 'QUOTA_EXCEEDED',
      details: { resource: 'storage', action_required: 'add_storage_block' },
    });
    const { subscription } = await customer.adjust({ storage_blocks: 1 });
    expect(subscription.allowance.storage_bytes).toBe(1_000 + 100 * GIB);
    await platform.reserve(accountId, newId('res_'), 100 * GIB);
    const blocks = ({ bandwidth }: { bandwidth: { limit: number } }) => bandwidth.limit === 2_000 + 200 * GIB;
    await customer.adjust({ bandwidth_blocks: 2 });
    expect(await platform.waitForSnapshot(accountId, blocks)).toMatchObject({
      storage: { used: 1_000 + 100 * GIB },
    });
  });

  it('takes blocks back only while their storage and seats are not in use', async () => {
    const customer = newCustomer(platform);
    const { accountId } = customer;
    await customer.adjust({ storage_blocks: 1, seats: 2, bandwidth_blocks: 1 });
    await use(accountId, `storage_used = 1001, identity_used = 4, bandwidth_used = 5000`);
    await expect(customer.adjust({ storage_blocks: 0 })).rejects.toMatchObject({
      reason: 'ALLOWANCE_IN_USE',
      details: { resource: 'storage', used: 1_001, limit: 1_000 },
    });
    await expect(customer.adjust({ seats: 0 })).rejects.toMatchObject({
      reason: 'ALLOWANCE_IN_USE',
      details: { resource: 'identity', used: 4, limit: 3 },
    });
    // The bandwidth of a cycle cannot be given back: the pool is exhausted until the next one.
    expect(await customer.adjust({ bandwidth_blocks: 0 })).toMatchObject({
      subscription: { bandwidth_blocks: 0 },
    });
    expect(await customer.subscription()).toMatchObject({ storage_blocks: 1, seats: 2 });
    await use(accountId, `storage_used = 1000, identity_used = 3`);
    await customer.adjust({ storage_blocks: 0, seats: 0 });
    expect(
      await platform.sql(`SELECT storage_limit, identity_limit FROM pools WHERE account_id = $1`, [
        accountId,
      ]),
    ).toEqual([{ storage_limit: null, identity_limit: null }]);
  });
});

describe('BIL-02 OPEN-31: an adjustment', () => {
  it('is prorated for the rest of the period', async () => {
    const customer = newCustomer(platform);
    await customer.start({ plan: 'team' });
    await customer.elapse(PERIOD / 2);
    const { as_of: at, version } = await customer.preview({ plan: 'business' });
    const { invoice, subscription } = await customer.adjust({ plan: 'business', version, as_of: at });
    const left = (subscription.current_period_end - at) / PERIOD;
    expect(Math.abs((invoice?.total.amount ?? 0) - 15_000 * left)).toBeLessThanOrEqual(0.5);
    expect(invoice?.lines.map(({ item, plan, proration }) => [item, plan, proration])).toEqual([
      ['plan', 'team', true],
      ['plan', 'business', true],
    ]);
  });

  it('is exactly what its preview was, which changes nothing', async () => {
    const customer = newCustomer(platform);
    await customer.start({ plan: 'team', seats: 3 });
    await customer.elapse(1_234_567);
    const change = { plan: 'business', seats: 7, storage_blocks: 13 };
    const before = await customer.subscription();
    const preview = await customer.preview(change);
    expect(await customer.subscription()).toEqual(before);
    expect(await customer.invoices()).toHaveLength(1);
    const adjusted = await customer.adjust({ ...change, version: preview.version, as_of: preview.as_of });
    const { invoice_id: _, created_at: __, ...invoice } = adjusted.invoice ?? {};
    const { invoice_id: ___, created_at: ____, ...previewed } = preview.invoice ?? {};
    expect(invoice).toEqual(previewed);
    expect(adjusted.subscription).toEqual(preview.subscription);
  });

  it('fails for another version than that of the preview, which must be repeated then', async () => {
    const customer = newCustomer(platform);
    const { version, as_of } = await customer.preview({ seats: 1 });
    await customer.adjust({ storage_blocks: 1 });
    const reason = 'SUBSCRIPTION_CHANGED';
    await expect(customer.adjust({ seats: 1, version, as_of })).rejects.toMatchObject({
      reason,
      code: 'CONFLICT',
    });
    await expect(customer.preview({ seats: 1, version })).rejects.toMatchObject({ reason });
    const next = await customer.preview({ seats: 1 });
    await customer.adjust({ seats: 1, version: next.version, as_of: next.as_of });
  });

  it('fails for an instant that no preview of the last ten minutes has named', async () => {
    const customer = newCustomer(platform);
    await customer.subscription();
    await customer.elapse(PERIOD / 2);
    const { version, as_of: now } = await customer.preview({ seats: 1 });
    for (const as_of of [0, now - 900, now + 900, now + PERIOD])
      await expect(customer.adjust({ seats: 1, version, as_of })).rejects.toMatchObject({
        reason: 'PREVIEW_EXPIRED',
      });
    await expect(customer.adjust({ seats: 1, as_of: now })).rejects.toMatchObject({
      reason: 'VALIDATION_ERROR',
    });
    await expect(customer.adjust({ version })).rejects.toMatchObject({ reason: 'VALIDATION_ERROR' });
    await customer.adjust({ seats: 1, version, as_of: now - 60 });
  });

  it('wins once when several are made of one version', async () => {
    const customer = newCustomer(platform);
    const { version, as_of } = await customer.preview({ seats: 1 });
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, (_, seats) => customer.adjust({ seats: seats + 1, version, as_of })),
    );
    const won = all.filter(({ status }) => status === 'fulfilled');
    const lost = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as { reason: string }] : []));
    expect([won.length, lost.length]).toEqual([1, 7]);
    expect(new Set(lost.map(({ reason }) => reason))).toEqual(new Set(['SUBSCRIPTION_CHANGED']));
    expect(await customer.invoices()).toHaveLength(1);
    expect(await customer.subscription()).toMatchObject({ version: 2 });
  });

  it('upwards and back at the same instant leaves the credit that the next invoice uses up', async () => {
    const customer = newCustomer(platform);
    const up = await customer.preview({ plan: 'business' });
    await customer.adjust({ plan: 'business', version: up.version, as_of: up.as_of });
    const down = await customer.adjust({ plan: 'default', version: up.version + 1, as_of: up.as_of });
    const due = up.invoice?.total.amount ?? 0;
    expect(down.invoice).toMatchObject({ status: 'paid', total: euros(-due), amount_due: euros(0) });
    expect(down.subscription).toMatchObject({ plan: 'default', credit_balance: euros(due) });
    const again = await customer.adjust({ plan: 'business', version: up.version + 2, as_of: up.as_of });
    expect(again).toMatchObject({
      invoice: { status: 'paid', total: euros(due), credit_applied: euros(due), amount_due: euros(0) },
      subscription: { credit_balance: euros(0) },
    });
  });

  it('is refused once the subscription has ended, until another one starts', async () => {
    const customer = newCustomer(platform);
    await customer.adjust({ cancel_at_period_end: true });
    await customer.elapse(PERIOD);
    await platform.renew();
    expect(await customer.subscription()).toMatchObject({ status: 'canceled' });
    await expect(customer.adjust({ seats: 1 })).rejects.toMatchObject({ reason: 'SUBSCRIPTION_INACTIVE' });
    await customer.start({ plan: 'default' });
    await customer.adjust({ seats: 1 });
  });
});

describe('OPEN-31: a renewal', () => {
  it('charges each period that has passed, once, on any number of instances', async () => {
    const customer = newCustomer(platform);
    await customer.start({ plan: 'team' });
    const before = await customer.subscription();
    await customer.elapse(2 * PERIOD);
    await platform.renew();
    const invoices = await customer.invoices();
    expect(invoices.map(({ billing_reason, total }) => [billing_reason, total.amount])).toEqual([
      ['subscription_cycle', 4_900],
      ['subscription_cycle', 4_900],
      ['subscription_create', 4_900],
    ]);
    const after = await customer.subscription();
    expect(after.current_period_end).toBe(before.current_period_end);
    expect(after.current_period_end).toBeGreaterThan(Date.now() / 1_000);
  });

  it('is of subscriptions alone whose period has ended', async () => {
    const customer = newCustomer(platform);
    await customer.subscription();
    const { context } = platform.service;
    const ended = await context.get(SubscriptionRepository).findEnded(context.get(Database), 1_000);
    expect(ended).not.toContain(customer.accountId);
  });

  it('ENV-23: ends a canceled subscription: its account needs a plan', async () => {
    const customer = newCustomer(platform);
    await customer.start({ plan: 'team' });
    expect(await customer.adjust({ cancel_at_period_end: true })).toMatchObject({
      invoice: null,
      subscription: { status: 'active', cancel_at_period_end: true },
    });
    await customer.elapse(PERIOD);
    await platform.renew();
    expect(await customer.invoices()).toHaveLength(1);
    const refused = platform.reserve(customer.accountId, newId('res_'), 1);
    await expect(refused).rejects.toMatchObject({ reason: 'PLAN_REQUIRED' });
    await customer.start({ plan: 'team' });
    await platform.reserve(customer.accountId, newId('res_'), 1);
  });
});

describe('AMB-17: a member', () => {
  it('reads the subscription and changes nothing', async () => {
    const member = newCustomer(platform, { role: 'member' });
    const reason = 'ROLE_REQUIRED';
    await member.subscription();
    await expect(member.start({ plan: 'team' })).rejects.toMatchObject({ reason });
    await expect(member.preview({ seats: 1 })).rejects.toMatchObject({ reason });
    await expect(member.adjust({ seats: 1 })).rejects.toMatchObject({ reason });
    await expect(member.charge(newId('in_'))).rejects.toMatchObject({ reason });
  });
});
