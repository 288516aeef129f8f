import { describe, expect, it } from '@jest/globals';
import {
  addPaymentMethod,
  deletePaymentMethod,
  listPaymentMethods,
  openPortal,
  setUpPaymentMethod,
} from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { newCustomer, type Customer } from '../../testing/billing.js';
import { methodObject } from '../../testing/stripe-answers.js';
import { deliver, newCardholder, useStripePlatform } from '../../testing/stripe.js';
import { MethodDetacher } from '../payment-method/method-detacher.js';

const platform = useStripePlatform();
const now = Math.floor(Date.now() / 1_000);

const list = async ({ context }: Customer) =>
  (await platform.harness.bus.call(listPaymentMethods, {}, context)).payment_methods;
const add = ({ context }: Customer, token?: string) =>
  platform.harness.bus.call(addPaymentMethod, { body: token === undefined ? {} : { token } }, context);
const remove = ({ context }: Customer, payment_method_id: string) =>
  platform.harness.bus.call(deletePaymentMethod, { params: { payment_method_id } }, context);
/** An account that is known at Stripe, and its customer there. */
const newKnown = async () => {
  const customer = newCustomer(platform);
  await platform.harness.bus.call(setUpPaymentMethod, {}, customer.context);
  const [row] = await platform.sql<{ ref: string }>(
    `SELECT customer_ref AS ref FROM subscriptions WHERE account_id = $1`,
    [customer.accountId],
  );
  return { customer, ref: row?.ref ?? '' };
};

describe('BIL-03 BIL-05 OPEN-31: payment methods at Stripe', () => {
  it('are attached to the customer of the account, and show what their owner recognizes', async () => {
    const customer = newCustomer(platform);
    const token = newId('pm_card_visa_');
    const method = await add(customer, token);
    expect(method).toMatchObject({
      provider: 'stripe',
      type: 'card',
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2034,
      is_default: true,
    });
    expect(JSON.stringify(method)).not.toContain(token);
    expect(await add(customer, token)).toEqual(method); // a repetition
    expect(await list(customer)).toEqual([method]);
  });

  it('share one customer, also when they are added at the same time', async () => {
    const customer = newCustomer(platform);
    await Promise.all([1, 2, 3].map(() => add(customer, newId('pm_card_visa_'))));
    const { accountId } = customer;
    const requests = platform.stripe.requests.filter(({ key }) => key === `customer_${accountId}`);
    expect(new Set(requests.map(({ route }) => route))).toEqual(new Set(['POST /v1/customers']));
    const methods = await list(customer);
    expect(methods).toHaveLength(3);
    expect(methods.filter(({ is_default }) => is_default)).toHaveLength(1);
  });

  it('need a token that Stripe accepts', async () => {
    const customer = newCustomer(platform);
    for (const token of [undefined, 'tok_visa', 'pm_x/../customers'])
      await expect(add(customer, token)).rejects.toMatchObject({ reason: 'VALIDATION_ERROR' });
    await expect(add(customer, newId('pm_unknown_'))).rejects.toMatchObject({
      reason: 'PAYMENT_METHOD_REFUSED',
      details: { decline_code: 'resource_missing' },
    });
    await expect(add(customer, newId('pm_card_lost_'))).rejects.toMatchObject({
      details: { decline_code: 'lost_card' },
    });
    expect(await list(customer)).toEqual([]);
  });

  it('ENV-41: belong to the account that added them first', async () => {
    const token = newId('pm_card_visa_');
    const [owner, other] = [newCustomer(platform), newCustomer(platform)];
    await add(owner, token);
    await expect(add(other, token)).rejects.toMatchObject({ reason: 'PAYMENT_METHOD_REFUSED' });
    expect(await list(other)).toEqual([]);
  });

  it('are detached when they are deleted; a job does it if Stripe did not answer', async () => {
    const customer = newCustomer(platform);
    const tokens = [newId('pm_card_visa_'), newId('pm_card_visa_')];
    for (const token of tokens) await add(customer, token);
    const [first, second] = await list(customer);
    await remove(customer, String(first?.payment_method_id));
    expect(platform.stripe.attached.has(String(tokens[0]))).toBe(false);
    platform.stripe.breakNext(`POST /v1/payment_methods/${tokens[1]}/detach`, 500, 500);
    await remove(customer, String(second?.payment_method_id));
    expect(await list(customer)).toEqual([]);
    expect(platform.stripe.attached.has(String(tokens[1]))).toBe(true);
    await platform.service.context.get(MethodDetacher).run();
    expect(platform.stripe.attached.has(String(tokens[1]))).toBe(false);
    expect(await platform.sql(`SELECT id FROM payment_methods WHERE status = 'detaching'`)).toEqual([]);
  });

  it('BIL-04 BIL-09: are collected on a page with a client secret, and shown on the portal', async () => {
    const { context } = newCustomer(platform);
    expect(await platform.harness.bus.call(setUpPaymentMethod, {}, context)).toEqual({
      provider: 'stripe',
      client_secret: expect.stringMatching(/^seti_/),
      publishable_key: 'pk_test_public',
    });
    const portal = await platform.harness.bus.call(openPortal, {}, context);
    expect(portal).toEqual({
      provider: 'stripe',
      url: expect.stringMatching(/^https:\/\/portal\.test\/cus_/),
    });
  });
});

describe('OPEN-31: events of payment methods', () => {
  it('add one that was collected on a page, as the default if it is the first', async () => {
    const { customer, ref } = await newKnown();
    await deliver(platform, { type: 'payment_method.attached', object: methodObject(newId('pm_'), ref) });
    expect(await list(customer)).toMatchObject([{ last4: '4242', is_default: true }]);
  });

  it('never replace newer details by older ones', async () => {
    const { customer, ref } = await newKnown();
    const id = newId('pm_');
    const type = 'payment_method.automatically_updated';
    await deliver(platform, { type, object: methodObject(id, ref, '2222'), created: now });
    await deliver(platform, { type, object: methodObject(id, ref, '1111'), created: now - 60 });
    await deliver(platform, {
      type: 'payment_method.attached',
      object: methodObject(id, ref),
      created: now - 90,
    });
    expect(await list(customer)).toMatchObject([{ last4: '2222' }]);
    await deliver(platform, { type, object: methodObject(id, ref, '3333'), created: now + 60 });
    expect(await list(customer)).toMatchObject([{ last4: '3333' }]);
  });

  it.each([
    ['after', ['payment_method.attached', 'payment_method.detached', 'payment_method.updated']],
    ['before', ['payment_method.detached', 'payment_method.attached', 'payment_method.updated']],
  ])('remove one for good, when they arrive %s those that attach it', async (_, types) => {
    const { customer, ref } = await newKnown();
    const id = newId('pm_');
    for (const type of types) {
      const isDetached = type === 'payment_method.detached';
      const object = methodObject(id, isDetached ? null : ref);
      await deliver(platform, { type, object, ...(isDetached && { previous: { customer: ref } }) });
    }
    expect(await list(customer)).toEqual([]);
  });

  it('move the default to another method when it is removed at Stripe', async () => {
    const customer = await newCardholder(platform);
    const second = await add(customer, newId('pm_card_visa_'));
    const [row] = await platform.sql<{ ref: string; method: string }>(
      `SELECT s.customer_ref AS ref, m.provider_ref AS method FROM subscriptions s
         JOIN payment_methods m ON m.id = s.default_payment_method WHERE s.account_id = $1`,
      [customer.accountId],
    );
    const { ref = '', method = '' } = row ?? {};
    const object = methodObject(method, null);
    await deliver(platform, { type: 'payment_method.detached', object, previous: { customer: ref } });
    expect(await list(customer)).toEqual([{ ...second, is_default: true }]);
  });

  it('of customers that are not ours change nothing', async () => {
    const id = newId('pm_');
    await deliver(platform, { type: 'payment_method.attached', object: methodObject(id, 'cus_foreign') });
    expect(await platform.sql(`SELECT id FROM payment_methods WHERE provider_ref = $1`, [id])).toEqual([]);
  });
});
