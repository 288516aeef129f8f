import { describe, expect, it } from '@jest/globals';
import { chargeInvoice } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { deadlineIn } from '@vaultsvc/testing/harness';
import { newCustomer, type Customer } from '../../testing/billing.js';
import { usePlatform } from '../../testing/platform.js';
import { PaymentRepository } from './payment.repository.js';

const platform = usePlatform();

const paymentsOf = (accountId: string) =>
  platform.sql(`SELECT status FROM payments WHERE account_id = $1`, [accountId]);

describe('BIL-10 OPEN-65: charging an invoice with the manual provider', () => {
  it('marks it as paid, and changes nothing when it is repeated', async () => {
    const customer = newCustomer(platform);
    const { invoice } = await customer.start({ plan: 'team' });
    const paid = await customer.charge(invoice?.invoice_id);
    expect(paid).toEqual({ ...invoice, status: 'paid', paid_at: expect.any(Number) });
    expect(await customer.charge(invoice?.invoice_id)).toEqual(paid);
    expect(await customer.invoices()).toEqual([paid]);
    expect(await paymentsOf(customer.accountId)).toEqual([{ status: 'succeeded' }]);
  });

  it('collects once, however many calls are made at the same time', async () => {
    const customer = newCustomer(platform);
    const { invoice } = await customer.start({ plan: 'team' });
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, () => customer.charge(invoice?.invoice_id)),
    );
    const refused = all.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as { reason: string }] : [],
    );
    expect(refused.length).toBeLessThan(10);
    expect(refused.every(({ reason }) => reason === 'PAYMENT_PENDING')).toBe(true);
    expect(await paymentsOf(customer.accountId)).toEqual([{ status: 'succeeded' }]);
  });

  it('collects the invoice that it names, and leaves another open', async () => {
    const customer = newCustomer(platform);
    const [first, second] = [await customer.adjust({ seats: 1 }), await customer.adjust({ seats: 2 })];
    await customer.charge(second.invoice?.invoice_id);
    expect(await customer.invoices()).toMatchObject([
      { invoice_id: second.invoice?.invoice_id, status: 'paid' },
      { invoice_id: first.invoice?.invoice_id, status: 'open' },
    ]);
  });

  it('begins no payment of an invoice that credit has paid', async () => {
    const customer = newCustomer(platform);
    await customer.adjust({ plan: 'business' });
    const { invoice } = await customer.adjust({ plan: 'default' });
    expect(invoice).toMatchObject({ status: 'paid', amount_due: { amount: 0 } });
    const { context } = platform.service;
    const payments = context.get(PaymentRepository);
    const id = invoice?.invoice_id ?? '';
    expect(await payments.begin(context.get(Database), customer.accountId, id, 'manual')).toBeUndefined();
    expect(await paymentsOf(customer.accountId)).toEqual([]);
  });

  it('is refused for one that is void', async () => {
    const customer = newCustomer(platform);
    const { invoice } = await customer.start({ plan: 'team' });
    const id = invoice?.invoice_id ?? '';
    await platform.sql(`UPDATE invoices SET status = 'void' WHERE id = $1`, [id]);
    await expect(customer.charge(id)).rejects.toMatchObject({ reason: 'INVOICE_NOT_OPEN' });
  });

  it('ENV-41: does not know the invoice of another account', async () => {
    const [owner, other] = [newCustomer(platform), newCustomer(platform)];
    const { invoice } = await owner.start({ plan: 'team' });
    const reason = 'INVOICE_NOT_FOUND';
    await expect(other.charge(invoice?.invoice_id)).rejects.toMatchObject({ reason, status: 404 });
    await expect(other.charge(newId('in_'))).rejects.toMatchObject({ reason });
    expect(await owner.invoices()).toMatchObject([{ status: 'open' }]);
  });

  it('never bills usage: an invoice has lines for the plan, seats and blocks alone', async () => {
    const customer = newCustomer(platform);
    await platform.reserve(customer.accountId, newId('res_'), 1_000_000);
    await customer.start({ plan: 'team', seats: 1, storage_blocks: 1, bandwidth_blocks: 1 });
    const [invoice] = await customer.invoices();
    expect(invoice?.lines.map(({ item }) => item)).toEqual([
      'plan',
      'seat',
      'storage_block',
      'bandwidth_block',
    ]);
  });
});

describe('OPEN-67: a charge with an Idempotency-Key', () => {
  const charge = ({ context }: Customer, invoice_id: string, idempotencyKey: string) =>
    platform.harness.bus.call(
      chargeInvoice,
      { body: { invoice_id } },
      { ...context, deadlineMs: deadlineIn(60), idempotencyKey },
    );
  const newInvoice = async (customer: Customer, seats: number) =>
    (await customer.adjust({ seats })).invoice?.invoice_id as string;
  /** As an instance leaves it that reserved the key this long ago and has not answered. */
  const reservedFor = (customer: Customer, age: string) =>
    platform.sql(
      `UPDATE idempotency_keys SET reply = NULL, created_at = now() - interval '${age}' WHERE account_id = $1`,
      [customer.accountId],
    );

  it('is under way for others until it answers, and taken over when its instance has died', async () => {
    const customer = newCustomer(platform);
    const id = await newInvoice(customer, 1);
    const paid = await charge(customer, id, 'k');
    await reservedFor(customer, '1 minute');
    await expect(charge(customer, id, 'k')).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_IN_USE',
      status: 409,
    });
    await reservedFor(customer, '3 minutes');
    expect(await charge(customer, id, 'k')).toEqual(paid);
    expect(await paymentsOf(customer.accountId)).toEqual([{ status: 'succeeded' }]);
  });

  it('leaves its key unused when it fails, and keeps what it has recorded', async () => {
    const customer = newCustomer(platform);
    const id = await newInvoice(customer, 1);
    await expect(charge(customer, newId('in_'), 'k')).rejects.toMatchObject({ reason: 'INVOICE_NOT_FOUND' });
    expect(await charge(customer, id, 'k')).toMatchObject({ invoice_id: id, status: 'paid' });
  });

  it('collects once when ten with one key come at the same time', async () => {
    const customer = newCustomer(platform);
    const id = await newInvoice(customer, 1);
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => charge(customer, id, 'k')));
    const reasons = all.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as { reason: string }).reason] : [],
    );
    expect(reasons.length).toBeLessThan(10);
    expect(reasons.filter((reason) => reason !== 'IDEMPOTENCY_KEY_IN_USE')).toEqual([]);
    expect(await paymentsOf(customer.accountId)).toEqual([{ status: 'succeeded' }]);
  });
});
