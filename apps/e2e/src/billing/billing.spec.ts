import { describe, expect, it } from '@jest/globals';
import {
  adjustSubscription,
  chargeInvoice,
  listInvoices,
  previewAdjustment,
  readSubscription,
  receiveStripeEvent,
  WEBHOOK_BYTES_MAX,
} from '@vaultsvc/contracts/reporting';
import { createSpark } from '@vaultsvc/contracts/sparks';
import { inviteUser } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import Stripe from 'stripe';
import { newSpark } from '../access/link-samples.js';
import { newTenant } from '../access/tenant.js';

const WEBHOOK_SECRET = 'whsec_e2e';
const platform = usePlatform({
  STORAGE_POOL_BYTES: '100',
  BANDWIDTH_POOL_BYTES: '100000',
  IDENTITY_POOL_SEATS: '2',
});
const stripePlatform = usePlatform({
  BILLING_PROVIDER: 'stripe',
  BILLING_RETURN_URL: 'http://127.0.0.1/billing',
  STRIPE_API_ORIGIN: 'http://127.0.0.1:9',
  STRIPE_SECRET_KEY: 'sk_test',
  STRIPE_PUBLISHABLE_KEY: 'pk_test',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
});

const spark = { body: { ...newSpark(), payload: 'x'.repeat(60) } };

describe('ENV-24 OPEN-31: an account whose storage is exhausted', () => {
  it('buys a block and writes with the next call', async () => {
    const { owner } = await newTenant(platform);
    // The figures follow events: the pool is exhausted a moment after the second Spark.
    const refused = await eventually(
      () => owner.call(createSpark, spark),
      ({ status }) => status !== 201,
    );
    expect(refused).toMatchObject({
      status: 402,
      error: {
        code: 'QUOTA_EXCEEDED',
        details: { resource: 'storage', action_required: 'add_storage_block' },
      },
    });
    const body = { storage_blocks: 1 };
    const { version, as_of, invoice } = succeeded(await owner.call(previewAdjustment, { body }));
    const bought = succeeded(await owner.call(adjustSubscription, { body: { ...body, version, as_of } }));
    expect(bought.invoice?.total).toEqual(invoice?.total);
    succeeded(await owner.call(createSpark, spark));
  });

  it('OPEN-65: pays its open invoice once', async () => {
    const { owner, key } = await newTenant(platform);
    succeeded(await owner.call(adjustSubscription, { body: { bandwidth_blocks: 3 } }));
    const { invoices } = succeeded(await key.call(listInvoices, { query: { limit: 10 } }));
    const body = { invoice_id: String(invoices[0]?.invoice_id) };
    const paid = succeeded(await key.call(chargeInvoice, { body }));
    expect(paid).toMatchObject({ status: 'paid', total: { amount: 3_000, currency: 'eur' } });
    expect(succeeded(await owner.call(chargeInvoice, { body }))).toEqual(paid);
  });
});

describe('MISC-06 OPEN-65: an account whose seats are taken', () => {
  it('buys seats, and invites with the next call', async () => {
    const { owner } = await newTenant(platform);
    const invite = () =>
      owner.call(inviteUser, {
        body: { email: `${newId('mail_')}@example.test`, role: 'member', seat: 'full' },
      });
    succeeded(await invite());
    expect(await invite()).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    succeeded(await owner.call(adjustSubscription, { body: { seats: 1 } }));
    succeeded(await invite());
    expect(succeeded(await owner.call(readSubscription, {}))).toMatchObject({
      seats: 1,
      allowance: { seats: 3 },
    });
  });
});

describe('TRAP 91 OPEN-06: a webhook of Stripe through the gateway', () => {
  const { path } = receiveStripeEvent.http;
  // Space and order of the fields matter: the signature covers the bytes.
  const payload = `{ "id":"${newId('evt_')}",\n"object" :"event", "type":"customer.created", "created":5, "data":{"object":{}} }`;
  const { webhooks } = new Stripe('sk_test_unused');
  const signed = () => webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
  const post = (body: string, headers: Record<string, string>) =>
    api(stripePlatform.url).send({ method: 'POST', target: path, headers, body });

  it('is accepted with a signature of its bytes', async () => {
    expect(await post(payload, { 'Stripe-Signature': signed() })).toMatchObject({
      status: 200,
      data: { received: true },
    });
  });

  it('is 401 without one, or for other bytes', async () => {
    const refused = { status: 401, error: { code: 'AUTHENTICATION_ERROR' } };
    expect(await post(payload, {})).toMatchObject(refused);
    expect(await post(JSON.stringify(JSON.parse(payload)), { 'Stripe-Signature': signed() })).toMatchObject(
      refused,
    );
    expect(await post('', { 'Stripe-Signature': signed() })).toMatchObject(refused);
  });

  it('is 413 above one MiB', async () => {
    const body = ' '.repeat(WEBHOOK_BYTES_MAX + 1);
    expect(await post(body, { 'Stripe-Signature': signed() })).toMatchObject({ status: 413 });
  });
});
