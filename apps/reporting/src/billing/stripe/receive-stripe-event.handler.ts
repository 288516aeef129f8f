import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { receiveStripeEvent, type WebhookReceived } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import type Stripe from 'stripe';
import { StripeEventApplier } from './stripe-event-applier.js';

@Controller()
export class ReceiveStripeEvent {
  constructor(private readonly applier: StripeEventApplier) {}

  @Handles(receiveStripeEvent)
  async handle(
    _: Input<typeof receiveStripeEvent>,
    { event }: ContextOf<typeof receiveStripeEvent>,
  ): Promise<WebhookReceived> {
    await this.applier.apply(event as Stripe.Event); // the guard has it from the SDK; contracts do not know the SDK
    return { received: true };
  }
}
