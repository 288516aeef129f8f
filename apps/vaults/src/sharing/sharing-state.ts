import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import type { IngotShare } from '@vaultsvc/contracts/sparks';
import type { IngotSharing } from '@vaultsvc/contracts/vaults';
import { ShareLinks } from './share-links.js';
import { ShareRepository, type IngotOfVault, type Share } from './share.repository.js';

/** What vaults keeps of a share, and its link; without the link nobody can open it, and it is not shared (AMB-36). */
export interface SharedState {
  readonly share: Share | undefined;
  readonly link: IngotShare | undefined;
}

/** How ingots are shared at this moment. */
@Injectable()
export class SharingState {
  constructor(
    private readonly shares: ShareRepository,
    private readonly links: ShareLinks,
  ) {}

  async read(ingot: IngotOfVault, context: AccountContext): Promise<SharedState> {
    const share = await this.shares.find(ingot.ingotId);
    return { share, link: share && (await this.links.read(ingot, share.linkId, context)) };
  }

  /** What callers are shown (SHR-05). Throws INGOT_NOT_FOUND. */
  async shown(ingot: IngotOfVault, link: IngotShare | undefined): Promise<IngotSharing> {
    const invites = link?.invites ?? [];
    return {
      ingot_id: ingot.ingotId,
      shared: link !== undefined,
      visibility: link?.visibility ?? null,
      public_url: link?.link_url ?? null,
      link_code: link?.link_code ?? null,
      invites: invites.map(({ invite_id, identity, type }) => ({ invite_id, identity, type })),
      updated_at: await this.shares.updatedAt(ingot),
    };
  }
}
