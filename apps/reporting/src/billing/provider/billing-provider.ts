import type { PaymentProvider } from '@vaultsvc/contracts/reporting';
import type { Quote } from '../quote/settle.js';

/** A payment to collect. Its id is the idempotency key: a provider collects it once, however often it is asked. */
export interface PaymentOrder {
  readonly id: string;
  readonly accountId: string;
  readonly invoiceId: string;
  /** Minor units, at least 1. */
  readonly amount: number;
  readonly currency: string;
  /** The payment method at the provider; null: none. */
  readonly methodRef: string | null;
  /** Epoch seconds. */
  readonly createdAt: number;
}

/** What became of a payment. `pending`: the provider has not decided yet, or its answer was lost. */
export type PaymentOutcome =
  | { readonly status: 'succeeded'; readonly ref: string | null }
  | { readonly status: 'failed'; readonly ref: string | null; readonly code: string }
  | { readonly status: 'pending'; readonly ref: string | null };

/** A payment method at the provider. */
export interface MethodDetails {
  /** null: the provider has no record of it. */
  readonly ref: string | null;
  readonly type: string;
  readonly brand: string | null;
  readonly last4: string | null;
  readonly expMonth: number | null;
  readonly expYear: number | null;
}

/** How a page collects a payment method. null: nothing to collect. */
export interface MethodSetup {
  readonly clientSecret: string | null;
  readonly publishableKey: string | null;
}

/** A checkout for which the caller has recorded its intent under this id, the idempotency key. */
export interface CheckoutOrder {
  readonly id: string;
  readonly accountId: string;
  readonly invoiceId: string;
  readonly quote: Quote;
  readonly currency: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/**
 * The seam to the company that collects payments. Callers record their intent first, call without an open transaction, and record
 * the result in a conditional statement; every method may be repeated. A provider that does not answer makes a method throw,
 * except `collect`, where the outcome is then `pending`.
 */
export abstract class BillingProvider {
  abstract readonly name: PaymentProvider;
  /** Whether invoices are charged to a payment method, so that a subscription that costs something needs one. */
  abstract readonly chargesMethods: boolean;
  /** The smallest amount that it collects, in minor units. */
  abstract readonly minimumDue: number;

  abstract collect(payment: PaymentOrder): Promise<PaymentOutcome>;

  abstract setUpMethod(accountId: string): Promise<MethodSetup>;

  /**
   * Attaches a method to the customer of the account.
   * @throws AppError VALIDATION_ERROR for a missing or unexpected token, PAYMENT_METHOD_REFUSED
   */
  abstract attachMethod(accountId: string, token: string | undefined): Promise<MethodDetails>;

  abstract detachMethod(ref: string): Promise<void>;

  /** The page to pay on; null: there is none, the subscription starts at once. */
  abstract openCheckout(checkout: CheckoutOrder): Promise<string | null>;

  /** The page of payments and methods; null: there is none. */
  abstract openPortal(accountId: string): Promise<string | null>;
}
