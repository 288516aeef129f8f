import { Injectable } from '@nestjs/common';
import { AppError, type CallContext, type Input } from '@vaultsvc/contracts';
import { readLinkPolicy } from '@vaultsvc/contracts/auth';
import { describeMessage, type LinkMessage } from '@vaultsvc/contracts/sparks';
import { Bus, Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../config.js';
import { findInvite, InviteRepository } from '../link/invite.repository.js';
import { LinkCodes } from '../link/link-codes.js';
import { LinkSeal } from '../link/link-seal.js';
import { linkUrl } from '../link/link-url.js';
import { MessageRepository, type MessageRow } from './message.repository.js';
import { channelOf, type MessageText } from './message-queue.js';

/** Tells notify what to write, at the moment it writes; what has become pointless meanwhile is not written. */
@Injectable()
export class DescribeMessage {
  constructor(
    private readonly messages: MessageRepository,
    private readonly seal: LinkSeal,
    private readonly codes: LinkCodes,
    private readonly invites: InviteRepository,
    private readonly config: SparksConfig,
    private readonly bus: Bus,
  ) {}

  @Handles(describeMessage)
  async handle({ body }: Input<typeof describeMessage>, context: CallContext): Promise<LinkMessage> {
    const message = await this.messages.find(body.message_id);
    if (!message) throw new AppError('LINK_NOT_FOUND');
    const text = await this.#textOf(message);
    if (!(await this.#isWanted(message, text))) throw new AppError('LINK_NOT_FOUND');
    return {
      kind: message.kind,
      channel: channelOf(text.identity),
      to: text.identity,
      link_type: message.link_type,
      organization_name: await this.#nameOf(message.account_id, context),
      ...(message.kind === 'code' ? codeIn(message, text) : await this.#linkIn(message)),
    };
  }

  async #textOf({ link_id, kid, sealed }: MessageRow): Promise<MessageText> {
    const [json] = await this.seal.open([{ linkId: link_id, kid, sealed }]);
    return JSON.parse(json as string) as MessageText;
  }

  /** An invitation is, for as long as its invite was not taken back. */
  async #isWanted({ kind, link_id }: MessageRow, { identity }: MessageText): Promise<boolean> {
    if (kind !== 'invitation') return true;
    return findInvite(await this.invites.ofOne(link_id), identity) !== undefined;
  }

  async #nameOf(accountId: string, context: CallContext): Promise<string> {
    const policy = await this.bus.call(readLinkPolicy, { body: { account_id: accountId } }, context);
    return policy.organization_name;
  }

  async #linkIn(message: MessageRow): Promise<Pick<LinkMessage, 'link_url' | 'code' | 'expires_at'>> {
    const { link_id: linkId, account_id: accountId, asset_id: assetId, link_kid: kid } = message;
    const link = { linkId, accountId, assetId, kid, sealedCode: message.sealed_code };
    const code = (await this.codes.openAll([link])).get(linkId) as string;
    const url = linkUrl(this.config, message.domain, code);
    return { link_url: url, code: null, expires_at: message.link_expires_at };
  }
}

function codeIn(
  { expires_at }: MessageRow,
  { code }: MessageText,
): Pick<LinkMessage, 'link_url' | 'code' | 'expires_at'> {
  return { link_url: null, code: code as string, expires_at };
}
