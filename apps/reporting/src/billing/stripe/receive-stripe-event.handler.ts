import { Controller } from '@nestjs/common';
import { serviceContext, type CallContext, type ContextOf, type Input } from '@vaultsvc/contracts';
import { applyStripeEvent, receiveStripeEvent, type WebhookReceived } from '@vaultsvc/contracts/reporting';
import { shardOf } from '@vaultsvc/crypto/encoding';
import { Bus, Handles } from '@vaultsvc/messaging';
import type Stripe from 'stripe';
import { Shards } from '../../shards/shards.js';
import { isApplied, StripeEventApplier, type AppliedEvent } from './stripe-event-applier.js';

/** Applies verified events, or passes them on to the shard of their account (ADR 63). */
@Controller()
export class ReceiveStripeEvent {
  constructor(
    private readonly applier: StripeEventApplier,
    private readonly shards: Shards,
    private readonly bus: Bus,
  ) {}

  @Handles(receiveStripeEvent)
  async handle(
    _: Input<typeof receiveStripeEvent>,
    { event: given, ...context }: ContextOf<typeof receiveStripeEvent>,
  ): Promise<WebhookReceived> {
    const event = given as Stripe.Event; // the guard has it from the SDK; contracts do not know the SDK
    const shards = isApplied(event) ? this.#shardsOf(event) : [this.shards.own];
    // Stripe delivers it again if one of them fails; each applies it once.
    await Promise.all(shards.map((shard) => this.#apply(shard, event, context)));
    return { received: true };
  }

  /** That of the account in the metadata, or all: a payment method names its customer alone. */
  #shardsOf({ data: { object } }: AppliedEvent): readonly number[] {
    const account = 'metadata' in object ? object.metadata?.['account_id'] : undefined;
    const shard = account === undefined ? undefined : shardOf(account);
    return shard !== undefined && this.shards.all.includes(shard) ? [shard] : this.shards.all;
  }

  async #apply(shard: number, event: Stripe.Event, context: Omit<CallContext, 'credential'>): Promise<void> {
    if (shard === this.shards.own) return this.applier.apply(event);
    const body = { event: JSON.stringify(event) };
    await this.bus.callShard(applyStripeEvent, { body }, serviceContext(context), shard);
  }
}
