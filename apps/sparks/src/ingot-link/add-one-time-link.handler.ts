import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { addOneTimeLink, type OneTimeLinkAdded } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../config.js';
import { LinkSealer } from '../link/link-sealer.js';
import { OneTimeLinkRepository } from './one-time-link.repository.js';

@Controller()
export class AddOneTimeLink {
  constructor(
    private readonly links: OneTimeLinkRepository,
    private readonly sealer: LinkSealer,
    private readonly config: SparksConfig,
  ) {}

  @Handles(addOneTimeLink)
  async handle(
    { body }: Input<typeof addOneTimeLink>,
    { requestId }: CallContext,
  ): Promise<OneTimeLinkAdded> {
    const owner = { accountId: body.account_id, assetId: body.ingot_id };
    const minted = await this.sealer.sealCode(owner, body.link_code);
    const createdAt = await this.links.add(body, minted, requestId);
    return { link_url: this.config.linkUrl('link', body.link_code), created_at: createdAt };
  }
}
