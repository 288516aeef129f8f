import { Logger } from '@nestjs/common';
import { AppError, validationError } from '@vaultsvc/contracts';
import Stripe from 'stripe';
import type { ReportingConfig } from '../../config.js';
import {
  BillingProvider,
  type CheckoutOrder,
  type MethodDetails,
  type MethodSetup,
  type PaymentOrder,
  type PaymentOutcome,
} from '../provider/billing-provider.js';
import type { CustomerRepository } from './customer.repository.js';
import { methodDetails } from './method-details.js';
import { outcomeOf, refusalOf } from './payment-outcome.js';

/** A payment of this age was asked for before: its PaymentIntent may exist. */
const REPEATED_AFTER_SECONDS = 60;
/** Stripe keeps idempotency keys for 24 hours at least; after that, a repetition would charge twice. */
const KEY_SECONDS = 20 * 3_600;
/** The clocks of Stripe and of our database. */
const CLOCK_SKEW_SECONDS = 300;

/** Collects invoices through PaymentIntents. Stripe knows no subscription of ours: it charges amounts that we have invoiced. */
export class StripeProvider extends BillingProvider {
  readonly name = 'stripe';
  readonly chargesMethods = true;
  readonly minimumDue: number;
  readonly #logger = new Logger('stripe');

  constructor(
    private readonly stripe: Stripe,
    private readonly customers: CustomerRepository,
    private readonly config: ReportingConfig,
  ) {
    super();
    this.minimumDue = config.STRIPE_MINIMUM_AMOUNT;
  }

  async collect(payment: PaymentOrder): Promise<PaymentOutcome> {
    try {
      return await this.#collect(payment);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) return refusal;
      this.#logger.warn({ msg: 'the outcome of a payment is unknown', paymentId: payment.id, err: error });
      return { status: 'pending', ref: null };
    }
  }

  async setUpMethod(accountId: string): Promise<MethodSetup> {
    const { client_secret: clientSecret } = await this.stripe.setupIntents.create({
      customer: await this.#customerOf(accountId),
      usage: 'off_session',
      automatic_payment_methods: { enabled: true },
    });
    return { clientSecret, publishableKey: this.config.STRIPE_PUBLISHABLE_KEY };
  }

  async attachMethod(accountId: string, token: string | undefined): Promise<MethodDetails> {
    if (token === undefined || !/^pm_\w+$/.test(token))
      throw validationError({
        field: 'token',
        message: 'token must be the pm_ id of a payment method of Stripe',
      });
    const customer = await this.#customerOf(accountId);
    try {
      return methodDetails(await this.stripe.paymentMethods.attach(token, { customer }));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.status !== 'failed') throw error;
      throw new AppError('PAYMENT_METHOD_REFUSED', { decline_code: refusal.code }, { cause: error });
    }
  }

  async detachMethod(ref: string): Promise<void> {
    try {
      await this.stripe.paymentMethods.detach(ref);
    } catch (error) {
      // Stripe refuses to detach what is detached already, or does not exist.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    }
  }

  async openCheckout(checkout: CheckoutOrder): Promise<string | null> {
    const { id, accountId, invoiceId, quote, currency, expiresAt } = checkout;
    const { BILLING_RETURN_URL: url } = this.config;
    const product_data = { name: `Subscription: ${quote.next.plan}` };
    const session = await this.stripe.checkout.sessions.create(
      {
        mode: 'payment',
        customer: await this.#customerOf(accountId),
        client_reference_id: id,
        line_items: [{ quantity: 1, price_data: { currency, unit_amount: quote.amountDue, product_data } }],
        payment_intent_data: { setup_future_usage: 'off_session' },
        metadata: { checkout_id: id, invoice_id: invoiceId, account_id: accountId },
        expires_at: expiresAt,
        success_url: url,
        cancel_url: url,
      },
      { idempotencyKey: id },
    );
    return session.url;
  }

  async openPortal(accountId: string): Promise<string | null> {
    const session = await this.stripe.billingPortal.sessions.create({
      customer: await this.#customerOf(accountId),
      return_url: this.config.BILLING_RETURN_URL,
    });
    return session.url;
  }

  async #collect(payment: PaymentOrder): Promise<PaymentOutcome> {
    const { id, accountId, invoiceId, amount, currency, methodRef, createdAt } = payment;
    if (methodRef === null) return { status: 'failed', ref: null, code: 'no_payment_method' };
    const customer = await this.#customerOf(accountId);
    const age = Date.now() / 1_000 - createdAt;
    const made = age > REPEATED_AFTER_SECONDS ? await this.#find(customer, payment) : undefined;
    if (made) return outcomeOf(made);
    if (age > KEY_SECONDS) return { status: 'failed', ref: null, code: 'not_attempted' };
    const intent = await this.stripe.paymentIntents.create(
      {
        amount,
        currency,
        customer,
        payment_method: methodRef,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        off_session: true,
        confirm: true,
        metadata: { payment_id: id, invoice_id: invoiceId, account_id: accountId },
      },
      { idempotencyKey: id },
    );
    return outcomeOf(intent);
  }

  /** The PaymentIntent of an earlier attempt. Listing is consistent at once; searching is not. */
  async #find(customer: string, { id, createdAt }: PaymentOrder): Promise<Stripe.PaymentIntent | undefined> {
    const created = { gte: createdAt - CLOCK_SKEW_SECONDS };
    for await (const intent of this.stripe.paymentIntents.list({ customer, created, limit: 100 }))
      if (intent.metadata['payment_id'] === id) return intent;
    return undefined;
  }

  #customerOf(accountId: string): Promise<string> {
    return this.customers.of(accountId, async () => {
      const params = { metadata: { account_id: accountId } };
      const { id } = await this.stripe.customers.create(params, { idempotencyKey: `customer_${accountId}` });
      return id;
    });
  }
}
