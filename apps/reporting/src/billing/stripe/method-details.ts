import type Stripe from 'stripe';
import type { MethodDetails } from '../provider/billing-provider.js';

/** What is kept of a payment method of Stripe: enough for its owner to recognize it. */
export function methodDetails(method: Stripe.PaymentMethod): MethodDetails {
  const { card, sepa_debit: debit } = method;
  return {
    ref: method.id,
    type: method.type,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? debit?.last4 ?? null,
    expMonth: card?.exp_month ?? null,
    expYear: card?.exp_year ?? null,
  };
}
