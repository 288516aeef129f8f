import { Controller } from '@nestjs/common';
import { serviceContext, type CallContext, type Input } from '@vaultsvc/contracts';
import { FEED_ENTRIES_MAX, readFeed, type FeedEntries } from '@vaultsvc/contracts/notify';
import { resolveGrants } from '@vaultsvc/contracts/sparks';
import { Bus, Handles } from '@vaultsvc/messaging';
import { FeedRepository, type StoredEntry } from './feed.repository.js';

@Controller()
export class ReadFeed {
  constructor(
    private readonly feed: FeedRepository,
    private readonly bus: Bus,
  ) {}

  @Handles(readFeed)
  async handle({ body }: Input<typeof readFeed>, context: CallContext): Promise<FeedEntries> {
    const last = await this.feed.lastPosition(body.account_id);
    const stored = await this.feed.readAfter(body.account_id, body.after);
    const shown = stored.slice(0, FEED_ENTRIES_MAX);
    const links = await this.#linksOf(body.account_id, shown, context);
    const entries = shown.map(({ link_id, ...entry }) => ({
      ...entry,
      link_url: links.get(link_id) ?? null,
    }));
    return { entries, last, has_more: stored.length > shown.length };
  }

  async #linksOf(
    account_id: string,
    entries: readonly StoredEntry[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, string | null>> {
    if (entries.length === 0) return new Map();
    const body = { account_id, link_ids: entries.map(({ link_id }) => link_id) };
    const { grants } = await this.bus.call(resolveGrants, { body }, serviceContext(context));
    return new Map(grants.map(({ link_id, link_url }) => [link_id, link_url]));
  }
}
