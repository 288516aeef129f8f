import { describe, expect, it } from '@jest/globals';
import { openCheckout, openPortal, receiveStripeEvent } from '@vaultsvc/contracts/reporting';
import { internalContext } from '@vaultsvc/testing/harness';
import { newCustomer } from '../../testing/billing.js';
import { usePlatform } from '../../testing/platform.js';

const platform = usePlatform();
const team = { plan: 'team', seats: 1, storage_blocks: 0, bandwidth_blocks: 0 };

describe('BIL-08 OPEN-31: a checkout with the manual provider', () => {
  it('starts the subscription at once, with an open invoice and without a page', async () => {
    const customer = newCustomer(platform);
    const checkout = await platform.harness.bus.call(openCheckout, { body: team }, customer.context);
    expect(checkout).toMatchObject({
      status: 'complete',
      provider: 'manual',
      url: null,
      expires_at: null,
      subscription: { status: 'active', plan: 'team', seats: 1 },
      invoice: { status: 'open', amount_due: { amount: 5_300, currency: 'eur' } },
    });
    expect(await customer.subscription()).toEqual(checkout.subscription);
    expect(await customer.invoices()).toEqual([checkout.invoice]);
  });

  it('AMB-17: is not for members, nor is the portal', async () => {
    const { context } = newCustomer(platform, { role: 'member' });
    const { bus } = platform.harness;
    const reason = 'ROLE_REQUIRED';
    await expect(bus.call(openCheckout, { body: team }, context)).rejects.toMatchObject({ reason });
    await expect(bus.call(openPortal, {}, context)).rejects.toMatchObject({ reason });
  });
});

describe('BIL-09: the portal with the manual provider', () => {
  it('has no page', async () => {
    const { context } = newCustomer(platform);
    expect(await platform.harness.bus.call(openPortal, {}, context)).toEqual({
      provider: 'manual',
      url: null,
    });
  });
});

describe('OPEN-31: a webhook of Stripe', () => {
  it('is refused while Stripe is not the provider', async () => {
    const signedRequest = { target: '', headers: { 'stripe-signature': 't=1,v1=00' } };
    const context = { ...internalContext(), signedRequest };
    await expect(platform.harness.bus.call(receiveStripeEvent, {}, context)).rejects.toMatchObject({
      reason: 'AUTHENTICATION_ERROR',
    });
  });
});
