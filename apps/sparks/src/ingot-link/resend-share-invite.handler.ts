import { Injectable } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { resendShareInvite, type ShareInviteSent } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { MessageQueue } from '../message/message-queue.js';
import { IngotShareReader } from './ingot-share-reader.js';

@Injectable()
export class ResendShareInvite {
  constructor(
    private readonly shares: IngotShareReader,
    private readonly messages: MessageQueue,
  ) {}

  @Handles(resendShareInvite)
  async handle(
    { body }: Input<typeof resendShareInvite>,
    { requestId }: CallContext,
  ): Promise<ShareInviteSent> {
    const link = await this.shares.findActive(body);
    const { identity } = await this.shares.inviteOf(link, body.invite_id);
    return { sent_at: await this.messages.enqueueNow(link, 'invitation', identity, requestId) };
  }
}
