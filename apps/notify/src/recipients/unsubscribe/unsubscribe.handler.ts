import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import {
  readCategorySubscription,
  setMailPreferences,
  unsubscribe,
  type CategorySubscription,
  type MailPreferenceChanges,
} from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { assertQuietHours } from '../assert-quiet-hours.js';
import { MailSubscriptions } from './mail-subscriptions.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/** Unsubscribe links: GET describes, POST ends (RFC 8058), PUT sets what the page offers. */
@Controller()
export class Unsubscribe {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly subscriptions: MailSubscriptions,
  ) {}

  @Handles(readCategorySubscription)
  async describe(
    { query }: Input<typeof readCategorySubscription>,
    context: CallContext,
  ): Promise<CategorySubscription> {
    return this.subscriptions.read(await this.links.read(query.token), context);
  }

  @Handles(unsubscribe)
  end({ query }: Input<typeof unsubscribe>, context: CallContext): Promise<CategorySubscription> {
    return this.#change(query.token, { unsubscribed: true }, context);
  }

  @Handles(setMailPreferences)
  set(
    { query, body }: Input<typeof setMailPreferences>,
    context: CallContext,
  ): Promise<CategorySubscription> {
    assertQuietHours(body.quiet_hours);
    return this.#change(query.token, body, context);
  }

  async #change(
    token: string,
    changes: MailPreferenceChanges,
    context: CallContext,
  ): Promise<CategorySubscription> {
    const subscribed = await this.links.read(token);
    await this.subscriptions.change(subscribed, changes);
    return this.subscriptions.read(subscribed, context);
  }
}
