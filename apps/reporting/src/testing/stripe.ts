import { addPaymentMethod, receiveStripeEvent } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { JobScheduler } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { internalContext } from '@vaultsvc/testing/harness';
import Stripe from 'stripe';
import { newCustomer, type Customer } from './billing.js';
import { startPlatform, type Platform } from './platform.js';
import { StripeServer } from './stripe-server.js';

const WEBHOOK_SECRET = 'whsec_test';
const stripe = new Stripe('sk_test_unused');

/** The platform with Stripe as its provider. */
export interface StripePlatform extends Platform {
  readonly stripe: StripeServer;
}

/** The platform for the tests of a spec file: see `useFixture`. Requests to Stripe time out after 2.5 seconds. */
export function useStripePlatform(settings: Record<string, string> = {}): StripePlatform {
  return useFixture(
    async () => {
      const server = await StripeServer.start();
      const platform = await startPlatform({ ...stripeSettings(server), ...settings });
      // Specs run the jobs themselves: a scheduled run in between would charge what a spec is about to charge.
      await Promise.all(platform.instances.map(({ context }) => context.get(JobScheduler).stop()));
      return { ...platform, stripe: server };
    },
    async ({ harness, stripe: server }) => {
      await harness.stop();
      await server.stop();
    },
  );
}

/** The settings of a service that uses this server as Stripe. */
export function stripeSettings({ origin }: StripeServer): Record<string, string> {
  return {
    BILLING_PROVIDER: 'stripe',
    BILLING_RETURN_URL: 'https://console.test/billing',
    STRIPE_API_ORIGIN: origin,
    STRIPE_SECRET_KEY: 'sk_test_secret',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_public',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_TIMEOUT_MS: '2500',
  };
}

/** A new account with a default payment method of this kind: `pm_card_chargeDeclined`, `pm_sepaDebit`. */
export async function newCardholder(platform: Platform, kind = 'pm_card_visa'): Promise<Customer> {
  const customer = newCustomer(platform);
  const token = newId(`${kind}_`);
  await platform.harness.bus.call(addPaymentMethod, { body: { token } }, customer.context);
  return customer;
}

/** An event as Stripe sends it. */
export interface SentEvent {
  readonly id?: string;
  readonly type: string;
  readonly object: object;
  readonly previous?: object;
  /** Epoch seconds. */
  readonly created?: number;
}

/** Delivers an event as the gateway forwards it. `header`: instead of the right signature. */
export async function deliver(platform: Platform, event: SentEvent, header?: string): Promise<void> {
  const { id = newId('evt_'), type, object, previous, created = Math.floor(Date.now() / 1_000) } = event;
  const data = { object, ...(previous && { previous_attributes: previous }) };
  const payload = JSON.stringify({ id, object: 'event', type, created, data });
  const signature = header ?? signatureOf(payload);
  await platform.harness.bus.forward(receiveStripeEvent, {}, Buffer.from(payload), {
    ...internalContext(),
    signedRequest: { target: '/v1/billing/webhooks/stripe', headers: { 'stripe-signature': signature } },
  });
}

/** A signature of the SDK. `timestamp` in epoch seconds. */
export function signatureOf(payload: string, timestamp?: number, secret = WEBHOOK_SECRET): string {
  return stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp !== undefined && { timestamp }),
  });
}
