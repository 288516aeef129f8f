import Stripe from 'stripe';
import type { PaymentOutcome } from '../provider/billing-provider.js';

/** What the status of a PaymentIntent says about its payment. */
export function outcomeOf({
  id: ref,
  status,
  last_payment_error: error,
}: Stripe.PaymentIntent): PaymentOutcome {
  if (status === 'succeeded') return { status: 'succeeded', ref };
  if (status === 'processing') return { status: 'pending', ref };
  // Nobody is there to authenticate a payment off session, so a required action is a failure.
  return { status: 'failed', ref, code: error?.decline_code ?? error?.code ?? status };
}

/**
 * What an error of creating a PaymentIntent says. Undefined when the payment may have been made: no answer came, or none that
 * decides.
 */
export function refusalOf(error: unknown): PaymentOutcome | undefined {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  const isDecided = error instanceof StripeCardError || error instanceof StripeInvalidRequestError;
  if (!isDecided) return undefined;
  const code = error.decline_code ?? error.code ?? 'invalid_request';
  return { status: 'failed', ref: error.payment_intent?.id ?? null, code };
}
