import { beforeAll, describe, expect, it } from '@jest/globals';
import { addPaymentMethod, deletePaymentMethod } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { newCustomer } from '../testing/billing.js';
import { usePlatform } from '../testing/platform.js';
import { causeOfJob } from '../audit/own-record.js';
import { PaymentCollector } from './payment/payment-collector.js';
import { PaymentRepository } from './payment/payment.repository.js';
import type { PaymentOrder } from './provider/billing-provider.js';

const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances));

const entriesOf = async (accountId: string) =>
  (
    await platform.sql<{ type: string; body: string }>(
      `SELECT event_type AS type, body FROM audit_entries WHERE account_id = $1 ORDER BY seq`,
      [accountId],
    )
  ).map(({ type, body }) => ({ type, ...(JSON.parse(body) as { details: Record<string, unknown> }) }));

describe('OPEN-28: billing in the audit log', () => {
  it('names the caller of each change, and the job that collects an invoice', async () => {
    const customer = newCustomer(platform);
    const { accountId, context } = customer;
    const actor = { kind: 'api_key', id: context.credential.credentialId };
    const { bus } = platform.harness;
    const method = await bus.call(addPaymentMethod, { body: {} }, context);
    const other = await bus.call(addPaymentMethod, { body: {} }, context);
    const { payment_method_id } = other;
    await bus.call(deletePaymentMethod, { params: { payment_method_id } }, context);
    const { invoice } = await customer.start({ plan: 'team' });
    await customer.charge(invoice?.invoice_id);
    await customer.charge(invoice?.invoice_id);
    const { invoice: next } = await customer.adjust({ seats: 3 });
    // As the job does: it runs for providers alone that charge methods, which the manual one does not.
    const services = platform.service.context;
    const order = await services
      .get(PaymentRepository)
      .begin(services.get(Database), accountId, next?.invoice_id ?? '', 'manual');
    await services.get(PaymentCollector).collect(order as PaymentOrder, causeOfJob('collect-invoices'));
    const entries = await entriesOf(accountId);
    expect(entries).toMatchObject([
      {
        type: 'billing_payment_method_added',
        details: { payment_method_id: method.payment_method_id, actor },
      },
      { type: 'billing_payment_method_added', details: { payment_method_id, actor } },
      { type: 'billing_payment_method_removed', details: { payment_method_id, actor } },
      { type: 'billing_subscription_changed', details: { plan: 'team', actor } },
      {
        type: 'billing_invoice_paid',
        details: { invoice_id: invoice?.invoice_id, amount: 4_900, actor },
      },
      { type: 'billing_subscription_changed', details: { seats: 3, actor } },
      {
        type: 'billing_invoice_paid',
        details: {
          invoice_id: next?.invoice_id,
          amount: 1_200, // three seats, from the first minute of the period
          actor: { kind: 'job', id: 'collect-invoices' },
        },
      },
    ]);
    expect(entries).toHaveLength(7);
    expect(entries[6]).not.toHaveProperty('actor_type');
  });
});
