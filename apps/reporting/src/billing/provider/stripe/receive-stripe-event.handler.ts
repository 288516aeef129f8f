import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { receiveStripeEvent, type WebhookReceived } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { StripeEventApplier } from './stripe-event-applier.js';
import { StripeEventReader } from './stripe-event-reader.js';

@Controller()
export class ReceiveStripeEvent {
  constructor(
    private readonly reader: StripeEventReader,
    private readonly applier: StripeEventApplier,
  ) {}

  @Handles(receiveStripeEvent)
  async handle(
    { raw }: Input<typeof receiveStripeEvent>,
    { signedRequest }: ContextOf<typeof receiveStripeEvent>,
  ): Promise<WebhookReceived> {
    await this.applier.apply(this.reader.read(raw, signedRequest.headers['stripe-signature']));
    return { received: true };
  }
}
