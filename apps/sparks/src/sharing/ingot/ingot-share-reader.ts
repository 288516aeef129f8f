import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { IngotLinkRef, IngotShare, ShareInvite } from '@vaultsvc/contracts/sparks';
import { SparksConfig } from '../../config.js';
import { InviteRepository, type Invite } from '../../link/invite.repository.js';
import { LinkSealer } from '../../link/link-sealer.js';
import { LinkRepository, type LinkRow } from '../../link/link.repository.js';
import { channelOf } from '../../link/channel-of-identity.js';

/** Reads durable links of ingots for vaults: by id, with their invites in clear. */
@Injectable()
export class IngotShareReader {
  constructor(
    private readonly links: LinkRepository,
    private readonly sealer: LinkSealer,
    private readonly invites: InviteRepository,
    private readonly config: SparksConfig,
  ) {}

  /** The durable link of this id in any state; undefined for one of another account or ingot. */
  async find(ref: IngotLinkRef): Promise<LinkRow | undefined> {
    const link = await this.links.findById(ref.link_id, ref.account_id);
    return link?.is_managed && link.asset_id === ref.ingot_id ? link : undefined;
  }

  /** As `find`; throws LINK_NOT_FOUND unless the link exists and is active. */
  async findActive(ref: IngotLinkRef): Promise<LinkRow> {
    const link = await this.find(ref);
    if (link?.status !== 'active') throw new AppError('LINK_NOT_FOUND');
    return link;
  }

  invitesOf(link: LinkRow): Promise<Invite[]> {
    return this.invites.findByLink(link.id);
  }

  /** As `invitesOf`; throws INVITE_NOT_FOUND for one of another link. */
  async inviteOf(link: LinkRow, inviteId: string): Promise<Invite> {
    const invite = (await this.invitesOf(link)).find(({ id }) => id === inviteId);
    if (!invite) throw new AppError('INVITE_NOT_FOUND');
    return invite;
  }

  async present(link: LinkRow): Promise<IngotShare> {
    const [code, invites] = await Promise.all([this.sealer.openCode(link), this.invitesOf(link)]);
    return {
      link_code: code,
      link_url: this.config.linkUrl(link.domain, code),
      visibility: link.visibility,
      invites: invites.map(presentInvite),
      created_at: link.created_at,
    };
  }
}

export function presentInvite({ id, identity, createdAt }: Invite): ShareInvite {
  return { invite_id: id, identity, type: channelOf(identity), created_at: createdAt };
}
