import { Injectable } from '@nestjs/common';
import { AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { deliverLink, type LinkDelivered, type LinkDelivery } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { linkStateError } from '../link/link-state-error.js';
import { LinkRepository, type LinkRow } from '../link/link.repository.js';
import { MessageQueue } from '../message/message-queue.js';

/** Only an active link is delivered. */
@Injectable()
export class DeliverLink {
  constructor(
    private readonly links: LinkRepository,
    private readonly messages: MessageQueue,
  ) {}

  @Handles(deliverLink)
  async handle({ body }: Input<typeof deliverLink>, { requestId }: CallContext): Promise<LinkDelivered> {
    const link = await this.links.getByCode(body.link_code, body.account_id);
    if (!isOneTimeLinkOf(body, link)) throw new AppError('SPARKLINK_NOT_FOUND');
    assertActive(link);
    return { delivered_at: await this.messages.enqueueNow(link, 'delivery', body.identity, requestId) };
  }
}

function isOneTimeLinkOf({ vault_id, ingot_id }: LinkDelivery, link: LinkRow): boolean {
  return !link.is_managed && link.vault_id === vault_id && link.asset_id === ingot_id;
}

function assertActive({ status, is_expired }: LinkRow): void {
  if (status !== 'active') throw linkStateError(status);
  if (is_expired) throw linkStateError('expired');
}
