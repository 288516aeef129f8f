import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import type { IngotShare } from '@vaultsvc/contracts/sparks';
import type { IngotSharing } from '@vaultsvc/contracts/vaults';
import { ShareLinkClient } from './share-link-client.js';
import { ShareRepository, type IngotOfVault, type Share } from './share.repository.js';

/** The share that vaults stores, and its link at sparks. Without the link the ingot counts as not shared (AMB-36). */
export interface Sharing {
  readonly share: Share | undefined;
  readonly link: IngotShare | undefined;
}

/** Reads how ingots are shared, from vaults and sparks, and presents it to callers. */
@Injectable()
export class SharingReader {
  constructor(
    private readonly shares: ShareRepository,
    private readonly links: ShareLinkClient,
  ) {}

  async read(ingot: IngotOfVault, context: AccountContext): Promise<Sharing> {
    const share = await this.shares.find(ingot.ingotId);
    return { share, link: share && (await this.links.read(ingot, share.linkId, context)) };
  }

  /** The answer to callers (SHR-05). Throws INGOT_NOT_FOUND. */
  async present(ingot: IngotOfVault, link: IngotShare | undefined): Promise<IngotSharing> {
    const invites = link?.invites ?? [];
    return {
      ingot_id: ingot.ingotId,
      shared: link !== undefined,
      visibility: link?.visibility ?? null,
      link_url: link?.link_url ?? null,
      public_url: link?.link_url ?? null,
      link_code: link?.link_code ?? null,
      invites: invites.map(({ invite_id, identity, type }) => ({ invite_id, identity, type })),
      updated_at: await this.shares.updatedAt(ingot),
    };
  }
}
