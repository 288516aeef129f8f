import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { readSubscription, unsubscribe, type Subscription } from '@vaultsvc/contracts/notify';
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

  @Handles(readSubscription)
  async describe({ query }: Input<typeof readSubscription>): Promise<Subscription> {
    const { accountId, directoryKey, category } = await this.links.read(query.token);
    const { isOff } = await this.preferences.read(accountId, directoryKey, 'email', category);
    return { unsubscribed: isOff, channel: 'email', category };
  }

  @Handles(unsubscribe)
  async end({ query }: Input<typeof unsubscribe>): Promise<Subscription> {
    const { accountId, directoryKey, category } = await this.links.read(query.token);
    await this.preferences.switchOff(accountId, directoryKey, 'email', category);
    return { unsubscribed: true, channel: 'email', category };
  }
}
