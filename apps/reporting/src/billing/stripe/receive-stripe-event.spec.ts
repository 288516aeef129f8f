import { describe, expect, it } from '@jest/globals';
import { openCheckout, type Checkout } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { newCustomer, type Customer } from '../../testing/billing.js';
import { deliver, signatureOf, useStripePlatform, type SentEvent } from '../../testing/stripe.js';
import { CheckoutCompleter } from '../checkout/checkout-completer.js';
import { InvoiceRepository } from '../invoice/invoice.repository.js';
import { ProviderEventRepository } from './provider-event.repository.js';

const platform = useStripePlatform();
const team = { plan: 'team', seats: 0, storage_blocks: 0, bandwidth_blocks: 0 };
const now = () => Math.floor(Date.now() / 1_000);

const checkOut = ({ context }: Customer, body = team) =>
  platform.harness.bus.call(openCheckout, { body }, context);
/** The session of a checkout as Stripe reports it. */
const sessionOf = ({ checkout_id, invoice }: Checkout, changes: object = {}) => ({
  id: newId('cs_test_'),
  object: 'checkout.session',
  payment_status: 'paid',
  amount_total: invoice?.amount_due.amount,
  metadata: { checkout_id },
  ...changes,
});
const completed = (checkout: Checkout, changes?: object): SentEvent => ({
  type: 'checkout.session.completed',
  object: sessionOf(checkout, changes),
});
const statusOf = async ({ checkout_id }: Checkout) =>
  platform.sql(`SELECT status FROM checkouts WHERE id = $1`, [checkout_id]);

describe('BIL-08 OPEN-31: a checkout at Stripe', () => {
  it('starts the subscription once Stripe reports that it is paid, and not before', async () => {
    const customer = newCustomer(platform);
    const checkout = await checkOut(customer);
    expect(checkout).toMatchObject({
      status: 'open',
      provider: 'stripe',
      url: `https://checkout.test/${checkout.checkout_id}`,
      subscription: { plan: 'default' },
      invoice: { status: 'draft', amount_due: { amount: 4_900, currency: 'eur' } },
    });
    const request = platform.stripe.requests.find(({ key }) => key === checkout.checkout_id);
    expect(request?.fields).toMatchObject({
      mode: 'payment',
      'line_items[0][price_data][unit_amount]': '4900',
      success_url: 'https://console.test/billing',
      'metadata[checkout_id]': checkout.checkout_id,
    });
    await expect(customer.charge(checkout.invoice?.invoice_id)).rejects.toMatchObject({
      reason: 'INVOICE_NOT_OPEN',
    });
    await deliver(platform, completed(checkout, { payment_status: 'unpaid' })); // a direct debit that is on its way
    expect(await customer.subscription()).toMatchObject({ plan: 'default', version: 1 });
    await deliver(platform, { ...completed(checkout), type: 'checkout.session.async_payment_succeeded' });
    expect(await customer.subscription()).toMatchObject({ plan: 'team', version: 2 });
    expect(await customer.invoices()).toMatchObject([{ status: 'paid', total: { amount: 4_900 } }]);
    await platform.waitForSnapshot(customer.accountId, ({ identity }) => identity.limit === 15);
  });

  it('is applied once, however often and concurrently it is reported', async () => {
    const customer = newCustomer(platform);
    const checkout = await checkOut(customer);
    const event = { ...completed(checkout), id: newId('evt_') };
    await Promise.all(Array.from({ length: 5 }, () => deliver(platform, event)));
    await deliver(platform, completed(checkout));
    expect(await customer.subscription()).toMatchObject({
      plan: 'team',
      version: 2,
      credit_balance: { amount: 0 },
    });
    expect(await customer.invoices()).toHaveLength(1);
  });

  it('of a subscription that has changed meanwhile credits what was paid', async () => {
    const customer = newCustomer(platform);
    const checkout = await checkOut(customer);
    await customer.adjust({ cancel_at_period_end: true });
    await deliver(platform, completed(checkout));
    expect(await customer.subscription()).toMatchObject({
      plan: 'default',
      credit_balance: { amount: 4_900 },
    });
    expect(await customer.invoices()).toMatchObject([{ status: 'void' }]);
    const next = await checkOut(customer);
    expect(next).toMatchObject({
      status: 'complete',
      url: null,
      invoice: { status: 'paid', credit_applied: { amount: 4_900 } },
      subscription: { plan: 'team' },
    });
  });

  it('that expires voids its invoice; a payment that is reported after all is credited', async () => {
    const customer = newCustomer(platform);
    const checkout = await checkOut(customer);
    await deliver(platform, { type: 'checkout.session.expired', object: sessionOf(checkout) });
    expect(await customer.invoices()).toMatchObject([{ status: 'void' }]);
    expect(await statusOf(checkout)).toEqual([{ status: 'expired' }]);
    await deliver(platform, completed(checkout));
    expect(await customer.subscription()).toMatchObject({
      plan: 'default',
      credit_balance: { amount: 4_900 },
    });
  });

  it('that was paid does not expire any more', async () => {
    const customer = newCustomer(platform);
    const checkout = await checkOut(customer);
    await deliver(platform, completed(checkout));
    await deliver(platform, {
      type: 'checkout.session.expired',
      object: sessionOf(checkout),
      created: now() - 600,
    });
    expect(await statusOf(checkout)).toEqual([{ status: 'complete' }]);
    const { context } = platform.service;
    await context.get(InvoiceRepository).voidDraft(context.get(Database), checkout.invoice?.invoice_id ?? '');
    expect(await customer.invoices()).toMatchObject([{ status: 'paid' }]);
  });

  it('that Stripe did not open expires by a job, a day after its page would have been closed', async () => {
    const [customer, recent] = [newCustomer(platform), newCustomer(platform)];
    platform.stripe.breakNext('POST /v1/checkout/sessions', 500, 500);
    await expect(checkOut(customer)).rejects.toMatchObject({ reason: 'INTERNAL_ERROR' });
    await checkOut(recent);
    const close = `UPDATE checkouts SET expires_at = now() - make_interval(hours => $2) WHERE account_id = $1`;
    await platform.sql(close, [customer.accountId, 25]);
    await platform.sql(close, [recent.accountId, 23]);
    await platform.service.context.get(CheckoutCompleter).run();
    expect(await customer.invoices()).toMatchObject([{ status: 'void' }]);
    expect(await recent.invoices()).toMatchObject([{ status: 'draft' }]);
  });
});

describe('OPEN-31 TRAP 91: a webhook of Stripe', () => {
  const refused = { reason: 'AUTHENTICATION_ERROR', status: 401 };
  const event = { id: 'evt_refused', type: 'customer.created', object: {} };

  it('is refused without a valid signature of the last five minutes', async () => {
    const payload = JSON.stringify({ other: true });
    for (const header of ['', 't=1,v1=', signatureOf(payload), signatureOf(payload, now(), 'whsec_other')])
      await expect(deliver(platform, event, header)).rejects.toMatchObject(refused);
    const exact = JSON.stringify({
      id: event.id,
      object: 'event',
      type: event.type,
      created: 5,
      data: { object: {} },
    });
    for (const header of [signatureOf(exact, now() - 330), signatureOf(exact, now(), 'whsec_other')])
      await expect(deliver(platform, { ...event, created: 5 }, header)).rejects.toMatchObject(refused);
    expect(await platform.sql(`SELECT id FROM provider_events WHERE id = $1`, [event.id])).toEqual([]);
    await deliver(platform, { ...event, created: 5 }, signatureOf(exact, now() - 60));
    expect(await platform.sql(`SELECT id FROM provider_events WHERE id = $1`, [event.id])).toHaveLength(1);
  });

  it('of another type, or about a payment that is not ours, is accepted and changes nothing', async () => {
    await deliver(platform, { type: 'invoice.finalized', object: { id: 'in_1' } });
    const intent = { id: 'pi_1', object: 'payment_intent', status: 'succeeded', metadata: {} };
    await deliver(platform, { type: 'payment_intent.succeeded', object: intent });
    const foreign = { ...intent, metadata: { payment_id: 'pay_unknown' } };
    await deliver(platform, { type: 'payment_intent.succeeded', object: foreign });
    await deliver(platform, {
      type: 'checkout.session.completed',
      object: { metadata: null, payment_status: 'paid' },
    });
  });

  it('is forgotten 90 days after its receipt', async () => {
    const id = newId('evt_');
    await deliver(platform, { id, type: 'customer.created', object: {} });
    const events = platform.service.context.get(ProviderEventRepository);
    const find = () => platform.sql(`SELECT id FROM provider_events WHERE id = $1`, [id]);
    await events.run();
    expect(await find()).toHaveLength(1);
    await platform.sql(`UPDATE provider_events SET received_at = now() - interval '91 days' WHERE id = $1`, [
      id,
    ]);
    await events.run();
    expect(await find()).toEqual([]);
  });
});
