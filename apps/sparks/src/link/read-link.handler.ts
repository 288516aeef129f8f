import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readLink, type SparkLink } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { LinkPresenter } from './link-presenter.js';
import { LinkRepository } from './link.repository.js';

@Controller()
export class ReadLink {
  constructor(
    private readonly links: LinkRepository,
    private readonly presenter: LinkPresenter,
  ) {}

  @Handles(readLink)
  async handle({ params }: Input<typeof readLink>, context: AccountContext): Promise<SparkLink> {
    const link = await this.links.getByCode(params.link_code, context.credential.accountId);
    return this.presenter.describe(link, context);
  }
}
