import Stripe from 'stripe';
import type { ReportingConfig } from '../../config.js';

/** One retry: two attempts and their pause fit into the ten seconds of a call. The SDK gives both the same idempotency key. */
const RETRIES = 1;

/** A client of Stripe's API. Its SDK makes the requests: it follows the versions of the API and verifies webhooks. */
export function stripeClient({
  STRIPE_API_ORIGIN,
  STRIPE_SECRET_KEY,
  STRIPE_TIMEOUT_MS,
}: ReportingConfig): Stripe {
  const { protocol, hostname, port } = new URL(STRIPE_API_ORIGIN);
  return new Stripe(STRIPE_SECRET_KEY.reveal(), {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port !== '' && { port }),
    timeout: STRIPE_TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}
