import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { IngotLinkRef, IngotShare, ShareInvite } from '@vaultsvc/contracts/sparks';
import { SparksConfig } from '../config.js';
import { InviteRepository, type Invite } from '../link/invite.repository.js';
import { LinkCodes } from '../link/link-codes.js';
import { linkUrl } from '../link/link-url.js';
import { LinkRepository, type LinkRow } from '../link/link.repository.js';
import { channelOf } from '../message/message-queue.js';

/** Durable links of ingots, as vaults knows them: by id, and with their invites in clear. */
@Injectable()
export class IngotShareReader {
  constructor(
    private readonly links: LinkRepository,
    private readonly codes: LinkCodes,
    private readonly invites: InviteRepository,
    private readonly config: SparksConfig,
  ) {}

  /** The durable link of this id, whatever its state; undefined for one of another account or ingot. */
  async find(ref: IngotLinkRef): Promise<LinkRow | undefined> {
    const link = await this.links.findById(ref.link_id, ref.account_id);
    return link?.is_managed && link.asset_id === ref.ingot_id ? link : undefined;
  }

  /** As `find`; throws LINK_NOT_FOUND when it is not there or not active. */
  async findActive(ref: IngotLinkRef): Promise<LinkRow> {
    const link = await this.find(ref);
    if (link?.status !== 'active') throw new AppError('LINK_NOT_FOUND');
    return link;
  }

  invitesOf(link: LinkRow): Promise<Invite[]> {
    return this.invites.ofOne(link.id);
  }

  /** As `invitesOf`; throws INVITE_NOT_FOUND for one of another link. */
  async inviteOf(link: LinkRow, inviteId: string): Promise<Invite> {
    const invite = (await this.invitesOf(link)).find(({ id }) => id === inviteId);
    if (!invite) throw new AppError('INVITE_NOT_FOUND');
    return invite;
  }

  async show(link: LinkRow): Promise<IngotShare> {
    const [code, invites] = await Promise.all([this.codes.openOne(link), this.invitesOf(link)]);
    return {
      link_code: code,
      link_url: linkUrl(this.config, link.domain, code),
      visibility: link.visibility,
      invites: invites.map(presentInvite),
      created_at: link.created_at,
    };
  }
}

export function presentInvite({ id, identity, createdAt }: Invite): ShareInvite {
  return { invite_id: id, identity, type: channelOf(identity), created_at: createdAt };
}
