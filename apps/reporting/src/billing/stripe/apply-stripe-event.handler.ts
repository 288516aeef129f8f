import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { applyStripeEvent, type WebhookReceived } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import type Stripe from 'stripe';
import { StripeEventApplier } from './stripe-event-applier.js';

/** Applies an event that another shard has received and verified. */
@Controller()
export class ApplyStripeEvent {
  constructor(private readonly applier: StripeEventApplier) {}

  @Handles(applyStripeEvent)
  async handle({ body }: Input<typeof applyStripeEvent>): Promise<WebhookReceived> {
    await this.applier.apply(JSON.parse(body.event) as Stripe.Event);
    return { received: true };
  }
}
