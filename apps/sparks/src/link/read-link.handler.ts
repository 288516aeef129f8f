import { Injectable } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readLink, type SparkLink } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { OwnLinks } from './own-links.js';
import { LinkPresenter } from './link-presenter.js';

@Injectable()
export class ReadLink {
  constructor(
    private readonly links: OwnLinks,
    private readonly shown: LinkPresenter,
  ) {}

  @Handles(readLink)
  async handle({ params }: Input<typeof readLink>, context: AccountContext): Promise<SparkLink> {
    const link = await this.links.find(params.link_code, context.credential.accountId);
    return this.shown.describe(link);
  }
}
