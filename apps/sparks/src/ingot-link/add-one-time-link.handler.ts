import { Injectable } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { addOneTimeLink, type OneTimeLinkAdded } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../config.js';
import { LinkCodes } from '../link/link-codes.js';
import { linkUrl } from '../link/link-url.js';
import { OneTimeLinkRepository } from './one-time-link.repository.js';

@Injectable()
export class AddOneTimeLink {
  constructor(
    private readonly links: OneTimeLinkRepository,
    private readonly codes: LinkCodes,
    private readonly config: SparksConfig,
  ) {}

  @Handles(addOneTimeLink)
  async handle(
    { body }: Input<typeof addOneTimeLink>,
    { requestId }: CallContext,
  ): Promise<OneTimeLinkAdded> {
    const owner = { accountId: body.account_id, assetId: body.ingot_id };
    const kept = await this.codes.keep(owner, body.link_code);
    const createdAt = await this.links.add(body, kept, requestId);
    return { link_url: linkUrl(this.config, 'link', body.link_code), created_at: createdAt };
  }
}
