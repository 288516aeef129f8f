import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { addOneTimeLink, type OneTimeLink, type OneTimeLinkAdded } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../../config.js';
import { assertIdentityFits } from '../grant/grant-content.js';
import { InviteRepository } from '../../link/invite.repository.js';
import { LinkSealer, type MintedLink } from '../../link/link-sealer.js';
import { OneTimeLinkRepository } from './one-time-link.repository.js';

@Controller()
export class AddOneTimeLink {
  constructor(
    private readonly links: OneTimeLinkRepository,
    private readonly sealer: LinkSealer,
    private readonly invites: InviteRepository,
    private readonly config: SparksConfig,
  ) {}

  @Handles(addOneTimeLink)
  async handle(
    { body }: Input<typeof addOneTimeLink>,
    { requestId }: CallContext,
  ): Promise<OneTimeLinkAdded> {
    const owner = { accountId: body.account_id, assetId: body.ingot_id };
    const minted = await this.sealer.sealCode(owner, body.link_code);
    const createdAt = await this.#add(body, minted, requestId);
    return { link_url: this.config.linkUrl('link', body.link_code), created_at: createdAt };
  }

  async #add({ grant, ...link }: OneTimeLink, minted: MintedLink, requestId: string): Promise<number> {
    if (!grant) return this.links.add(link, minted, requestId);
    const { identity, policy } = grant;
    assertIdentityFits(identity, policy.verification_level);
    const [invite = null] = await this.invites.seal(link.link_id, identity === null ? [] : [identity]);
    return this.links.addGrant(link, { ...grant, invite }, minted, requestId);
  }
}
