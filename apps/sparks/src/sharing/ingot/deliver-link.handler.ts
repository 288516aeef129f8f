import { Controller, Logger } from '@nestjs/common';
import { AppError, serviceContext, type CallContext, type Input } from '@vaultsvc/contracts';
import { readChannel } from '@vaultsvc/contracts/notify';
import { deliverLink, type LinkDelivered, type LinkDelivery } from '@vaultsvc/contracts/sparks';
import { Bus, Handles } from '@vaultsvc/messaging';
import { linkStateError } from '../../link/link-state-error.js';
import { LinkRepository, type LinkRow } from '../../link/link.repository.js';
import { channelOf } from '../../link/channel-of-identity.js';
import { LinkMessageQueue } from '../../message/link-message-queue.js';

const CHANNEL_MS_MAX = 1_000;

/** Only an active link is delivered. */
@Controller()
export class DeliverLink {
  readonly #logger = new Logger('links');

  constructor(
    private readonly links: LinkRepository,
    private readonly messages: LinkMessageQueue,
    private readonly bus: Bus,
  ) {}

  @Handles(deliverLink)
  async handle({ body }: Input<typeof deliverLink>, { requestId }: CallContext): Promise<LinkDelivered> {
    const link = await this.links.getByCode(body.link_code, body.account_id);
    if (!isOneTimeLinkOf(body, link)) throw new AppError('SPARKLINK_NOT_FOUND');
    assertActive(link);
    if (!(await this.#canSend(body.identity, requestId))) return { delivered_at: null };
    return { delivered_at: await this.messages.enqueueNow(link, 'delivery', body.identity, requestId) };
  }

  /** Also true if notify does not answer: the message is queued, and sent once it runs again. */
  async #canSend(identity: string, requestId: string): Promise<boolean> {
    const context = serviceContext({ requestId, deadlineMs: Date.now() + CHANNEL_MS_MAX });
    try {
      return (await this.bus.call(readChannel, { body: { channel: channelOf(identity) } }, context))
        .is_configured;
    } catch (error) {
      this.#logger.warn({
        msg: 'a link is queued for delivery without an answer of notify',
        requestId,
        err: error,
      });
      return true;
    }
  }
}

function isOneTimeLinkOf({ vault_id, ingot_id }: LinkDelivery, link: LinkRow): boolean {
  return !link.is_managed && link.vault_id === vault_id && link.asset_id === ingot_id;
}

function assertActive({ status, is_expired }: LinkRow): void {
  if (status !== 'active') throw linkStateError(status);
  if (is_expired) throw linkStateError('expired');
}
