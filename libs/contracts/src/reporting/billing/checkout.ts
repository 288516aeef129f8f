import { Example } from '../../core/example.js';
import { EpochSeconds, IdOf, Nested, OneOf, Text } from '../../core/fields.js';
import { operation } from '../../core/operation.js';
import { Invoice } from './invoice.js';
import { paymentProviders, type PaymentProvider } from './payment-method.js';
import { NewSubscription, Subscription } from './subscription.js';

/** A checkout. `complete`: the subscription has started. `open`: it starts once the page of the provider reports payment. */
@Example({ status: 'complete', url: null, expires_at: null })
export class Checkout {
  @IdOf('cs') checkout_id: string;
  @OneOf(['open', 'complete']) status: 'open' | 'complete';
  @OneOf(paymentProviders) provider: PaymentProvider;
  @Text({ max: 2_048, nullable: true, description: 'The page to pay on. null: nothing to pay there.' })
  url: string | null;
  @EpochSeconds({ nullable: true, description: 'When the page closes. null without one.' })
  expires_at: number | null;
  @Nested(() => Subscription, { description: 'The subscription of the account now.' })
  subscription: Subscription;
  @Nested(() => Invoice, { nullable: true, description: 'The invoice to pay. null: no cost.' })
  invoice: Invoice | null;
}

/**
 * Opens a checkout for a subscription that starts once it is paid. `manual` has no page and starts it at once, with an open
 * invoice, as does any provider when the credit covers the price.
 */
export const openCheckout = operation({
  name: 'reporting.open-checkout',
  summary:
    'Opens a checkout for a subscription. With manual the subscription starts at once, without a page.',
  http: { method: 'POST', path: '/v1/billing/checkout', status: 201 },
  idempotent: { secrets: ['url'] },
  access: { credential: 'key', role: 'admin' },
  body: NewSubscription,
  reply: Checkout,
  errors: ['BILLING_OF_OPERATOR', 'SUBSCRIPTION_CHANGED', 'SUBSCRIPTION_OF_STORE', 'ALLOWANCE_IN_USE'],
});

/** The portal of the provider. */
@Example({ url: null })
export class BillingPortal {
  @OneOf(paymentProviders) provider: PaymentProvider;
  @Text({ max: 2_048, nullable: true, description: 'null: manual has no portal.' }) url: string | null;
}

/** Opens the page on which the provider shows payments and payment methods. */
export const openPortal = operation({
  name: 'reporting.open-portal',
  summary: 'Opens the billing portal of the payment provider. manual has none: url is null.',
  http: { method: 'POST', path: '/v1/billing/portal', status: 201 },
  idempotent: { secrets: ['url'] },
  access: { credential: 'key', role: 'admin' },
  reply: BillingPortal,
});
