import { Injectable } from '@nestjs/common';
import { AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { deliverLink, type LinkDelivered, type LinkDelivery } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { linkStateError } from '../link/link-state-error.js';
import type { LinkRow } from '../link/link.repository.js';
import { OwnLinks } from '../link/own-links.js';
import { Deliveries } from '../message/deliveries.js';

/** Nobody is sent a link that opens nothing. */
@Injectable()
export class DeliverLink {
  constructor(
    private readonly links: OwnLinks,
    private readonly deliveries: Deliveries,
  ) {}

  @Handles(deliverLink)
  async handle({ body }: Input<typeof deliverLink>, { requestId }: CallContext): Promise<LinkDelivered> {
    const link = await this.links.find(body.link_code, body.account_id);
    if (!isOneTimeLinkOf(body, link)) throw new AppError('SPARKLINK_NOT_FOUND');
    assertOpen(link);
    return { delivered_at: await this.deliveries.owe(link, 'delivery', body.identity, requestId) };
  }
}

function isOneTimeLinkOf({ vault_id, ingot_id }: LinkDelivery, link: LinkRow): boolean {
  return !link.is_managed && link.vault_id === vault_id && link.asset_id === ingot_id;
}

function assertOpen({ status, is_expired }: LinkRow): void {
  if (status !== 'active') throw linkStateError(status);
  if (is_expired) throw linkStateError('expired');
}
