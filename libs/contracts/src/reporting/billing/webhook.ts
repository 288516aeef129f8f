import { Flag, Text } from '../../core/fields.js';
import { operation } from '../../core/operation.js';
import { EVERY_SHARD } from '../../core/shards.js';

/** Most bytes of a webhook: 1 MiB (OPEN-06). */
export const WEBHOOK_BYTES_MAX = 1_048_576;

/** The event is recorded. */
export class WebhookReceived {
  @Flag({ description: 'Always true.' }) received: boolean;
}

/**
 * Receives the events of Stripe. Each is applied once, by its id, in whatever order they arrive. AUTHENTICATION_ERROR without a
 * valid signature that is at most five minutes old.
 */
export const receiveStripeEvent = operation({
  name: 'reporting.receive-stripe-event',
  summary: 'Receives events of Stripe, which signs them in the header Stripe-Signature.',
  http: { method: 'POST', path: '/v1/billing/webhooks/stripe', status: 200 },
  access: { provider: 'stripe' },
  bodyBytesMax: WEBHOOK_BYTES_MAX,
  reply: WebhookReceived,
});

/** Body of `applyStripeEvent`. */
export class StripeEventText {
  @Text({ max: WEBHOOK_BYTES_MAX, raw: true, description: 'The event as JSON.' })
  event: string;
}

/** Applies an event of Stripe, whose signature reporting has verified, to the accounts of a shard. Each shard applies it once, by its id. */
export const applyStripeEvent = operation({
  name: 'reporting.apply-stripe-event',
  summary: 'Applies an event of Stripe to the accounts of a shard.',
  access: 'internal',
  callers: ['reporting'],
  shardBy: EVERY_SHARD,
  body: StripeEventText,
  reply: WebhookReceived,
  repeatable: true,
});
