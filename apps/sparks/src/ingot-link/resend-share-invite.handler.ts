import { Injectable } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { resendShareInvite, type ShareInviteSent } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { Deliveries } from '../message/deliveries.js';
import { IngotShareReader } from './ingot-share-reader.js';

@Injectable()
export class ResendShareInvite {
  constructor(
    private readonly shares: IngotShareReader,
    private readonly deliveries: Deliveries,
  ) {}

  @Handles(resendShareInvite)
  async handle(
    { body }: Input<typeof resendShareInvite>,
    { requestId }: CallContext,
  ): Promise<ShareInviteSent> {
    const link = await this.shares.findActive(body);
    const { identity } = await this.shares.inviteOf(link, body.invite_id);
    return { sent_at: await this.deliveries.owe(link, 'invitation', identity, requestId) };
  }
}
