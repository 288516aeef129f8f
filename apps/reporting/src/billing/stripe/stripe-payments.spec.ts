import { describe, expect, it } from '@jest/globals';
import { chargeInvoice, deletePaymentMethod, listPaymentMethods } from '@vaultsvc/contracts/reporting';
import { deadlineIn } from '@vaultsvc/testing/harness';
import { newCustomer, PERIOD, type Customer } from '../../testing/billing.js';
import { deliver, newCardholder, useStripePlatform } from '../../testing/stripe.js';
import { CollectInvoices } from '../payment/collect-invoices.job.js';
import { FinishPayments } from '../payment/finish-payments.job.js';
import { ReviewStanding } from '../subscription/review-standing.job.js';

const platform = useStripePlatform();
const INTENTS = 'POST /v1/payment_intents';

const paymentsOf = ({ accountId }: Customer) =>
  platform.sql<{ id: string; status: string }>(
    `SELECT id, status FROM payments WHERE account_id = $1 ORDER BY created_at, id`,
    [accountId],
  );
const intentsOf = ({ accountId }: Customer) =>
  platform.stripe.intents.filter(({ metadata }) => metadata['account_id'] === accountId);
/** Moves payments or invoices into the past. */
const backDate = async ({ accountId }: Customer, table: 'payments' | 'invoices', seconds: number) => {
  for (const column of table === 'payments' ? ['created_at', 'asked_at'] : ['created_at'])
    await platform.sql(
      `UPDATE ${table} SET ${column} = ${column} - make_interval(secs => $2) WHERE account_id = $1`,
      [accountId, seconds],
    );
};
const run = (job: typeof FinishPayments | typeof CollectInvoices | typeof ReviewStanding) =>
  Promise.all(platform.instances.map(({ context }) => context.get<{ run(): Promise<void> }>(job).run()));
const openInvoice = async (customer: Customer) =>
  (await customer.start({ plan: 'team' })).invoice?.invoice_id;

describe('BIL-10 OPEN-31: a charge through Stripe', () => {
  it('charges the default payment method what is due, once', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    const paid = await customer.charge(id);
    expect(paid).toMatchObject({ status: 'paid', amount_due: { amount: 4_900 } });
    expect(await customer.charge(id)).toEqual(paid);
    const [payment] = await paymentsOf(customer);
    const metadata = { payment_id: payment?.id, invoice_id: id, account_id: customer.accountId };
    expect(intentsOf(customer)).toMatchObject([{ amount: 4_900, currency: 'eur', metadata }]);
    const request = platform.stripe.requests.find(({ key }) => key === payment?.id);
    expect(request).toMatchObject({ route: INTENTS, fields: { off_session: 'true', confirm: 'true' } });
  });

  it('of two at once collects once', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    await Promise.allSettled(Array.from({ length: 6 }, () => customer.charge(id)));
    expect(await customer.charge(id)).toMatchObject({ status: 'paid' });
    expect(intentsOf(customer)).toHaveLength(1);
  });

  it('of less than Stripe charges is not made: the next invoice adds it', async () => {
    const customer = await newCardholder(platform);
    await customer.subscription();
    await customer.elapse(PERIOD - 86_400);
    const { invoice, subscription } = await customer.adjust({ seats: 1 });
    const amount = invoice?.total.amount ?? 0;
    expect(amount).toBeGreaterThan(0);
    expect(amount).toBeLessThan(50);
    expect(invoice).toMatchObject({ status: 'paid', amount_due: { amount: 0 } });
    expect(subscription).toMatchObject({ credit_balance: { amount: -amount } });
    await customer.elapse(86_400);
    await platform.renew();
    const [renewal] = await customer.invoices();
    expect(renewal).toMatchObject({
      status: 'open',
      total: { amount: 500 },
      amount_due: { amount: 500 + amount },
    });
  });

  it('OPEN-67: that is declined is recorded, also with an Idempotency-Key, which it leaves unused', async () => {
    const customer = await newCardholder(platform, 'pm_card_chargeDeclined');
    const invoice_id = (await openInvoice(customer)) as string;
    const charge = () =>
      platform.harness.bus.call(
        chargeInvoice,
        { body: { invoice_id } },
        { ...customer.context, deadlineMs: deadlineIn(60), idempotencyKey: 'k' },
      );
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect(charge()).rejects.toMatchObject({ reason: 'PAYMENT_DECLINED' });
      const statuses = (await paymentsOf(customer)).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: attempt }, () => 'failed'));
    }
  });

  it('that is declined says why, and leaves the invoice open for another method', async () => {
    const customer = await newCardholder(platform, 'pm_card_chargeDeclined');
    const id = await openInvoice(customer);
    await expect(customer.charge(id)).rejects.toMatchObject({
      reason: 'PAYMENT_DECLINED',
      code: 'CONFLICT',
      details: { decline_code: 'insufficient_funds' },
    });
    expect(await customer.invoices()).toMatchObject([{ status: 'open' }]);
    expect(await paymentsOf(customer)).toMatchObject([{ status: 'failed' }]);
  });

  it('without a payment method is refused, as is a change that costs', async () => {
    const customer = newCustomer(platform);
    const reason = 'PAYMENT_METHOD_MISSING';
    await expect(customer.start({ plan: 'team' })).rejects.toMatchObject({ reason });
    await expect(customer.adjust({ seats: 1 })).rejects.toMatchObject({ reason });
    expect(await customer.subscription()).toMatchObject({ plan: 'default', seats: 0, version: 1 });
    await customer.start({ plan: 'default' }); // costs nothing
  });
});

describe('OPEN-31: a payment whose answer is lost', () => {
  it('is asked for again with the same key, which charges once', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    platform.stripe.breakNext(INTENTS, 'hangs');
    expect(await customer.charge(id)).toMatchObject({ status: 'paid' });
    expect(intentsOf(customer)).toHaveLength(1);
  });

  it('is pending until a job finds what Stripe has done', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    platform.stripe.breakNext(INTENTS, 'answer-lost', 'answer-lost');
    await expect(customer.charge(id)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING', code: 'CONFLICT' });
    await expect(customer.charge(id)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' });
    await backDate(customer, 'payments', 90);
    await run(FinishPayments);
    expect(await customer.charge(id)).toMatchObject({ status: 'paid' });
    expect(intentsOf(customer)).toHaveLength(1);
  });

  it('is asked about more and more rarely: a direct debit takes days', async () => {
    const customer = await newCardholder(platform, 'pm_sepaDebit');
    await expect(customer.charge(await openInvoice(customer))).rejects.toMatchObject({
      reason: 'PAYMENT_PENDING',
    });
    const asked = () => {
      const [intent] = intentsOf(customer);
      const lists = platform.stripe.requests.filter(({ route }) => route === 'GET /v1/payment_intents');
      return lists.filter(({ fields }) => fields['customer'] === intent?.customer).length;
    };
    await backDate(customer, 'payments', 90);
    await run(FinishPayments);
    await run(FinishPayments);
    expect(asked()).toBe(1);
    await backDate(customer, 'payments', 86_400);
    await run(FinishPayments);
    await platform.sql(`UPDATE payments SET asked_at = now() - interval '1 hour' WHERE account_id = $1`, [
      customer.accountId,
    ]);
    await run(FinishPayments);
    expect(asked()).toBe(2);
  });

  it('is made by the job if Stripe never received it', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    platform.stripe.breakNext(INTENTS, 500, 500);
    await expect(customer.charge(id)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' });
    expect(intentsOf(customer)).toEqual([]);
    await backDate(customer, 'payments', 90);
    await run(FinishPayments);
    expect(await customer.invoices()).toMatchObject([{ status: 'paid' }]);
    expect(intentsOf(customer)).toHaveLength(1);
  });

  it('is left to the provider that it was begun with', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    platform.stripe.breakNext(INTENTS, 500, 500);
    await expect(customer.charge(id)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' });
    await platform.sql(`UPDATE payments SET provider = 'manual' WHERE account_id = $1`, [customer.accountId]);
    await backDate(customer, 'payments', 90);
    await run(FinishPayments);
    expect(await paymentsOf(customer)).toMatchObject([{ status: 'pending' }]);
    expect(intentsOf(customer)).toEqual([]);
  });

  it('is given up without a charge once its key may be forgotten, and may be tried anew', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    platform.stripe.breakNext(INTENTS, 500, 500);
    await expect(customer.charge(id)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' });
    await backDate(customer, 'payments', 21 * 3_600);
    await run(FinishPayments);
    expect(await paymentsOf(customer)).toMatchObject([{ status: 'failed' }]);
    expect(intentsOf(customer)).toEqual([]);
    expect(await customer.charge(id)).toMatchObject({ status: 'paid' });
    expect(intentsOf(customer)).toHaveLength(1);
  });

  it('that arrives after all, beside a second one, is credited', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    platform.stripe.breakNext(INTENTS, 500, 500);
    await expect(customer.charge(id)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' });
    await backDate(customer, 'payments', 21 * 3_600);
    await run(FinishPayments);
    await customer.charge(id);
    const [first] = await paymentsOf(customer);
    const object = {
      id: 'pi_late',
      object: 'payment_intent',
      status: 'succeeded',
      metadata: { payment_id: first?.id },
    };
    for (const type of ['payment_intent.succeeded', 'payment_intent.succeeded'])
      await deliver(platform, { type, object });
    expect(await customer.subscription()).toMatchObject({ credit_balance: { amount: 4_900 } });
    expect(await paymentsOf(customer)).toMatchObject([{ status: 'late' }, { status: 'succeeded' }]);
  });
});

describe('OPEN-31: a delayed payment', () => {
  it.each([
    ['succeeded', 'paid', 'payment_intent.succeeded', 'succeeded'],
    ['failed', 'open', 'payment_intent.payment_failed', 'requires_payment_method'],
  ])('is pending until Stripe reports that it %s', async (payment, invoice, type, status) => {
    const customer = await newCardholder(platform, 'pm_sepaDebit');
    const id = await openInvoice(customer);
    await expect(customer.charge(id)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' });
    const [intent] = intentsOf(customer);
    const object = { ...intent, status };
    await deliver(platform, { type, object });
    await deliver(platform, { type, object }); // as another event
    expect(await paymentsOf(customer)).toMatchObject([{ status: payment }]);
    expect(await customer.invoices()).toMatchObject([{ status: invoice }]);
  });
});

describe('OPEN-31 ENV-23: an open invoice', () => {
  it('is charged by a job, once on any number of instances', async () => {
    const customer = await newCardholder(platform);
    await openInvoice(customer);
    await run(CollectInvoices);
    await run(CollectInvoices);
    expect(await customer.invoices()).toMatchObject([{ status: 'paid' }]);
    expect(intentsOf(customer)).toHaveLength(1);
  });

  it('is not charged while its account has no payment method', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    const { bus } = platform.harness;
    const { payment_methods: methods } = await bus.call(listPaymentMethods, {}, customer.context);
    for (const { payment_method_id } of methods)
      await bus.call(deletePaymentMethod, { params: { payment_method_id } }, customer.context);
    await run(CollectInvoices);
    await expect(customer.charge(id)).rejects.toMatchObject({ reason: 'PAYMENT_METHOD_MISSING' });
    expect(await customer.invoices()).toMatchObject([{ status: 'open' }]);
    expect(await paymentsOf(customer)).toEqual([]);
  });

  it('is charged again after a day while that fails, until it is overdue', async () => {
    const customer = await newCardholder(platform, 'pm_card_chargeDeclined');
    await openInvoice(customer);
    await run(CollectInvoices);
    await run(CollectInvoices);
    expect(await paymentsOf(customer)).toHaveLength(1);
    await backDate(customer, 'payments', 86_400);
    await run(CollectInvoices);
    expect(await paymentsOf(customer)).toHaveLength(2);
    for (const table of ['payments', 'invoices'] as const) await backDate(customer, table, 14 * 86_400);
    await run(CollectInvoices);
    expect(await paymentsOf(customer)).toHaveLength(2);
  });

  it('that is overdue stops the subscription, and resumes it once it is paid', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    await run(ReviewStanding);
    expect(await customer.subscription()).toMatchObject({ status: 'active' });
    await backDate(customer, 'invoices', 15 * 86_400);
    await run(ReviewStanding);
    expect(await customer.subscription()).toMatchObject({ status: 'past_due', plan: 'team' });
    await expect(platform.reserve(customer.accountId, 'res_past_due', 1)).rejects.toMatchObject({
      reason: 'PLAN_REQUIRED',
    });
    await expect(customer.adjust({ seats: 1 })).rejects.toMatchObject({ reason: 'SUBSCRIPTION_INACTIVE' });
    await customer.charge(id);
    await run(ReviewStanding);
    expect(await customer.subscription()).toMatchObject({ status: 'active', plan: 'team' });
    expect(await customer.invoices()).toHaveLength(1);
  });

  it('that is overdue does not stop a subscription that a store bills', async () => {
    const customer = await newCardholder(platform);
    await openInvoice(customer);
    await backDate(customer, 'invoices', 15 * 86_400);
    await platform.sql(`UPDATE subscriptions SET store = 'apple' WHERE account_id = $1`, [
      customer.accountId,
    ]);
    await run(ReviewStanding);
    expect(await customer.subscription()).toMatchObject({ status: 'active', biller: 'apple' });
  });

  it('that is overdue keeps the subscription from renewing; paid later, a new period starts then', async () => {
    const customer = await newCardholder(platform);
    const id = await openInvoice(customer);
    await backDate(customer, 'invoices', 15 * 86_400);
    await run(ReviewStanding);
    await customer.elapse(PERIOD + 86_400);
    await platform.renew();
    expect(await customer.invoices()).toHaveLength(1);
    await customer.charge(id);
    await run(ReviewStanding);
    const { current_period_start } = await customer.subscription();
    expect(Date.now() / 1_000 - current_period_start).toBeLessThan(60);
    expect(await customer.invoices()).toMatchObject([{ status: 'open' }, { status: 'paid' }]);
  });
});
