import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listLinks, type LinkList } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { LinkRepository } from './link.repository.js';
import { LinkPresenter } from './link-presenter.js';

@Controller()
export class ListLinks {
  constructor(
    private readonly links: LinkRepository,
    private readonly presenter: LinkPresenter,
  ) {}

  @Handles(listLinks)
  async handle({ query }: Input<typeof listLinks>, context: AccountContext): Promise<LinkList> {
    const page = await this.links.list(context.credential.accountId, query);
    const sparklinks = await this.presenter.summarize(page.rows, context);
    return { sparklinks, count: page.count, cursor: page.next_cursor ?? null };
  }
}
