import { EpochSeconds, Flag, IdOf, Int, ListOf, Name, OneOf, Text } from '../../core/fields.js';
import { operation } from '../../core/operation.js';

/** Who collects payments: nobody but people (`manual`), or Stripe. */
export const paymentProviders = ['manual', 'stripe'] as const;
export type PaymentProvider = (typeof paymentProviders)[number];

/** Path parameters of operations on one payment method. */
export class PaymentMethodParams {
  @IdOf('pm') payment_method_id: string;
}

/** A payment method. Numbers of cards and accounts stay with the provider. */
export class PaymentMethod {
  @IdOf('pm') payment_method_id: string;
  @OneOf(paymentProviders) provider: PaymentProvider;
  @Text({ max: 40, description: 'invoice, or a type of Stripe: card, sepa_debit.' }) type: string;
  @Name({ max: 100, nullable: true, description: 'The label that it was added with.' }) label: string | null;
  @Text({ max: 40, nullable: true, description: 'Of a card: visa.' }) brand: string | null;
  @Text({ max: 4, nullable: true, description: 'The last four digits.' }) last4: string | null;
  @Int({ min: 1, max: 12, nullable: true }) exp_month: number | null;
  @Int({ min: 2000, max: 9999, nullable: true }) exp_year: number | null;
  @Flag({ description: 'Invoices are charged to it.' }) is_default: boolean;
  @EpochSeconds() created_at: number;
}

/** The payment methods of an account. */
export class PaymentMethodList {
  @ListOf(() => PaymentMethod) payment_methods: PaymentMethod[];
}

/** Lists the payment methods. */
export const listPaymentMethods = operation({
  name: 'reporting.list-payment-methods',
  summary: 'Lists the payment methods of the account, at most 20, oldest first.',
  http: { method: 'GET', path: '/v1/billing/payment-methods', status: 200 },
  access: { credential: 'key' },
  reply: PaymentMethodList,
  repeatable: true,
});

/** Body of `addPaymentMethod`. */
export class NewPaymentMethod {
  @Text({
    min: 1,
    max: 255,
    optional: true,
    description:
      'With stripe: the pm_… id of a payment method that Stripe.js has created. manual takes none.',
  })
  token?: string;
  @Name({ max: 100, optional: true, description: 'A label, such as the number of a purchase order.' })
  label?: string;
}

/** Adds a payment method. The first one of an account is the default. */
export const addPaymentMethod = operation({
  name: 'reporting.add-payment-method',
  summary:
    'Adds a payment method: with manual the payment of invoices by bank transfer, with stripe the one that a token names.',
  http: { method: 'POST', path: '/v1/billing/payment-methods', status: 201 },
  idempotent: { id: 'payment_method_id' },
  access: { credential: 'key', role: 'admin' },
  body: NewPaymentMethod,
  reply: PaymentMethod,
  errors: ['PAYMENT_METHOD_REFUSED', 'PAYMENT_METHODS_EXHAUSTED'],
});

/** How a page collects a payment method. */
export class PaymentMethodSetup {
  @OneOf(paymentProviders) provider: PaymentProvider;
  @Text({
    max: 255,
    nullable: true,
    description: 'The client secret of a SetupIntent, for Stripe.js. null with manual: nothing to collect.',
  })
  client_secret: string | null;
  @Text({ max: 255, nullable: true, description: 'The publishable key for Stripe.js. null with manual.' })
  publishable_key: string | null;
}

/** Starts the collection of a payment method. It is listed once the provider has confirmed it. */
export const setUpPaymentMethod = operation({
  name: 'reporting.set-up-payment-method',
  summary: 'Starts the collection of a payment method on a page, without its number passing this API.',
  http: { method: 'POST', path: '/v1/billing/payment-methods/setup', status: 201 },
  idempotent: { secrets: ['client_secret'] },
  access: { credential: 'key', role: 'admin' },
  reply: PaymentMethodSetup,
});

/** Deletes a payment method. If it was the default, the newest other one is it then. */
export const deletePaymentMethod = operation({
  name: 'reporting.delete-payment-method',
  summary: 'Deletes a payment method. If it was the default, the newest other one becomes the default.',
  http: { method: 'DELETE', path: '/v1/billing/payment-methods/{payment_method_id}', status: 204 },
  access: { credential: 'key', role: 'admin' },
  params: PaymentMethodParams,
  unknown: 'PAYMENT_METHOD_NOT_FOUND',
  errors: ['PAYMENT_METHOD_NOT_FOUND'],
});

/** Makes a payment method the default. */
export const makeDefaultPaymentMethod = operation({
  name: 'reporting.make-default-payment-method',
  summary: 'Makes a payment method the default, which invoices are charged to.',
  http: { method: 'PUT', path: '/v1/billing/payment-methods/{payment_method_id}/default', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: PaymentMethodParams,
  unknown: 'PAYMENT_METHOD_NOT_FOUND',
  reply: PaymentMethod,
  errors: ['PAYMENT_METHOD_NOT_FOUND'],
});
