import { Controller } from '@nestjs/common';
import { AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { describeOwner, readLinkPolicy } from '@vaultsvc/contracts/auth';
import { describeMessage, type LinkMessage } from '@vaultsvc/contracts/sparks';
import { Bus, Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../config.js';
import { findInvite, InviteRepository } from '../link/invite.repository.js';
import { LinkSealer } from '../link/link-sealer.js';
import { LinkMessageRepository, type MessageRow } from './link-message.repository.js';
import { channelOf } from '../link/channel-of-identity.js';
import type { MessageText } from './link-message-queue.js';

type Content = Pick<LinkMessage, 'identity' | 'link_url' | 'code' | 'expires_at'>;

/** Returns a message's text when notify sends it, or LINK_NOT_FOUND when the message has become pointless. */
@Controller()
export class DescribeMessage {
  constructor(
    private readonly messages: LinkMessageRepository,
    private readonly sealer: LinkSealer,
    private readonly invites: InviteRepository,
    private readonly config: SparksConfig,
    private readonly bus: Bus,
  ) {}

  @Handles(describeMessage)
  async handle({ body }: Input<typeof describeMessage>, context: CallContext): Promise<LinkMessage> {
    const message = await this.messages.find(body.message_id);
    if (!message) throw new AppError('LINK_NOT_FOUND');
    const text = await this.#textOf(message);
    if (!(await this.#isCurrent(message, text))) throw new AppError('LINK_NOT_FOUND');
    const to = message.kind === 'lockout' ? await this.#ownerOf(message, context) : text.identity;
    return {
      kind: message.kind,
      channel: channelOf(to),
      to,
      link_type: message.link_type,
      asset_id: message.asset_id,
      organization_name: await this.#nameOf(message.account_id, context),
      ...(await this.#contentOf(message, text)),
    };
  }

  async #contentOf(message: MessageRow, { identity, code }: MessageText): Promise<Content> {
    const { expires_at } = message;
    if (message.kind === 'lockout') return { identity, link_url: null, code: null, expires_at };
    if (message.kind === 'code') return { identity: null, link_url: null, code: code as string, expires_at };
    return this.#linkOf(message);
  }

  /** Throws LINK_NOT_FOUND when no person owns the account any more. */
  async #ownerOf({ account_id }: MessageRow, context: CallContext): Promise<string> {
    const { email } = await this.bus.call(describeOwner, { body: { account_id } }, context);
    if (email === null) throw new AppError('LINK_NOT_FOUND');
    return email;
  }

  async #textOf({ link_id, kid, sealed }: MessageRow): Promise<MessageText> {
    const [json] = await this.sealer.openTexts([{ linkId: link_id, kid, sealed }]);
    return JSON.parse(json as string) as MessageText;
  }

  /** An invitation is not sent once its invite was withdrawn. */
  async #isCurrent({ kind, link_id }: MessageRow, { identity }: MessageText): Promise<boolean> {
    if (kind !== 'invitation') return true;
    return findInvite(await this.invites.findByLink(link_id), identity) !== undefined;
  }

  async #nameOf(accountId: string, context: CallContext): Promise<string> {
    const policy = await this.bus.call(readLinkPolicy, { body: { account_id: accountId } }, context);
    return policy.organization_name;
  }

  async #linkOf(message: MessageRow): Promise<Content> {
    const { link_id: id, account_id, asset_id, link_kid: kid, sealed_code } = message;
    const code = await this.sealer.openCode({ id, account_id, asset_id, kid, sealed_code });
    const url = this.config.linkUrl(message.domain, code);
    return { identity: null, link_url: url, code: null, expires_at: message.link_expires_at };
  }
}
