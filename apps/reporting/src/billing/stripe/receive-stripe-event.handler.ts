import { Controller } from '@nestjs/common';
import { serviceContext, type ContextOf, type Input } from '@vaultsvc/contracts';
import { applyStripeEvent, receiveStripeEvent, type WebhookReceived } from '@vaultsvc/contracts/reporting';
import { Bus, Handles } from '@vaultsvc/messaging';
import type Stripe from 'stripe';
import { OtherShards } from '../../shards/other-shards.js';
import { StripeEventApplier } from './stripe-event-applier.js';

@Controller()
export class ReceiveStripeEvent {
  constructor(
    private readonly applier: StripeEventApplier,
    private readonly others: OtherShards,
    private readonly bus: Bus,
  ) {}

  @Handles(receiveStripeEvent)
  async handle(
    _: Input<typeof receiveStripeEvent>,
    { event, ...context }: ContextOf<typeof receiveStripeEvent>,
  ): Promise<WebhookReceived> {
    await this.applier.apply(event as Stripe.Event); // the guard has it from the SDK; contracts do not know the SDK
    const body = { event: JSON.stringify(event) };
    const passedOn = this.others.all.map((shard) =>
      this.bus.callShard(applyStripeEvent, { body }, serviceContext(context), shard),
    );
    await Promise.all(passedOn); // Stripe delivers it again if one of them fails
    return { received: true };
  }
}
