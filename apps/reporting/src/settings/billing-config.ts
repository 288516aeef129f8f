import {
  encryptedHttp,
  flag,
  httpUrl,
  integer,
  oneOf,
  origin,
  Secret,
  secretText,
  Setting,
  text,
  type Parser,
  type Rule,
} from '@vaultsvc/config';
import type { PaymentProvider } from '@vaultsvc/contracts/reporting';
import { defaultPlans, planTable, type PlanTable } from './plan-table.js';
import { StoreConfig } from './store-config.js';

const currency: Parser<string> = (value) => {
  if (/^[a-z]{3}$/.test(value)) return value;
  throw new Error('must be an ISO 4217 code in lower case, such as eur');
};

const withStripe: Rule<string | Secret> = (value, { BILLING_PROVIDER }) => {
  const isMissing = (value instanceof Secret ? value.reveal() : value) === '';
  return isMissing && BILLING_PROVIDER === 'stripe' ? 'is required with BILLING_PROVIDER=stripe' : undefined;
};

/** Settings of billing. */
export class BillingConfig extends StoreConfig {
  @Setting(planTable, 'Plans with their prices, limits and blocks, as JSON: see docs/billing.md.')
  PLANS: PlanTable = defaultPlans;

  @Setting(currency, 'Currency of all prices: an ISO 4217 code in lower case.')
  BILLING_CURRENCY = 'eur';

  @Setting(
    oneOf('manual', 'stripe'),
    'Provider that collects payments. manual collects nothing: invoices stay open until they are marked as paid.',
  )
  BILLING_PROVIDER: PaymentProvider = 'manual';

  @Setting(
    flag,
    'With BILLING_PROVIDER=manual and PROFILE=production: whether accounts change their plan and seats and mark their invoices as paid. Otherwise the operator does (reporting set-billing).',
  )
  BILLING_MANUAL_TRUSTS_TENANTS = false;

  @Setting(
    integer({ min: 1, max: 365 }),
    'Days after which an unpaid invoice stops a subscription. Stripe retries the charge daily until then; manual never stops one.',
  )
  BILLING_GRACE_DAYS = 14;

  @Setting(httpUrl, 'Page that Stripe returns people to. Required with BILLING_PROVIDER=stripe.', withStripe)
  BILLING_RETURN_URL = '';

  @Setting(
    secretText,
    'Secret or restricted key for the API of Stripe. Required with BILLING_PROVIDER=stripe.',
    withStripe,
  )
  STRIPE_SECRET_KEY: Secret = new Secret('');

  @Setting(text, 'Publishable key for Stripe.js. Required with BILLING_PROVIDER=stripe.', withStripe)
  STRIPE_PUBLISHABLE_KEY = '';

  @Setting(
    secretText,
    'Secret that signs the webhooks of Stripe: whsec_…. Required with BILLING_PROVIDER=stripe.',
    withStripe,
  )
  STRIPE_WEBHOOK_SECRET: Secret = new Secret('');

  @Setting(
    integer({ min: 1, max: 100_000 }),
    'Smallest amount that Stripe charges in BILLING_CURRENCY, in minor units. Less is added to the next invoice.',
  )
  STRIPE_MINIMUM_AMOUNT = 50;

  @Setting(origin, 'Origin of the API of Stripe.', encryptedHttp)
  STRIPE_API_ORIGIN = 'https://api.stripe.com';

  @Setting(
    integer({ min: 100, max: 30_000 }),
    'Milliseconds until a request to Stripe times out. It is sent at most twice; a call of ours has ten seconds.',
  )
  STRIPE_TIMEOUT_MS = 4_000;
}
