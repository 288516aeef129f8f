import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { readCategorySubscription, unsubscribe, type CategorySubscription } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { PreferenceRepository } from './preference.repository.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/** Unsubscribe links: GET describes, POST acts (RFC 8058). */
@Controller()
export class Unsubscribe {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly preferences: PreferenceRepository,
  ) {}

  @Handles(readCategorySubscription)
  async describe({ query }: Input<typeof readCategorySubscription>): Promise<CategorySubscription> {
    const { accountId, directoryKey, category } = await this.links.read(query.token);
    const { isOff } = await this.preferences.read(accountId, directoryKey, 'email', category);
    return { unsubscribed: isOff, channel: 'email', category };
  }

  @Handles(unsubscribe)
  async end({ query }: Input<typeof unsubscribe>): Promise<CategorySubscription> {
    const { accountId, directoryKey, category } = await this.links.read(query.token);
    await this.preferences.switchOff(accountId, directoryKey, 'email', category);
    return { unsubscribed: true, channel: 'email', category };
  }
}
