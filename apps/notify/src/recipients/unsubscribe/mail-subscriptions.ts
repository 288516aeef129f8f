import { Injectable } from '@nestjs/common';
import { serviceContext, type CallContext } from '@vaultsvc/contracts';
import { readLinkPolicy } from '@vaultsvc/contracts/auth';
import {
  MAIL_CATEGORIES_MAX,
  type CategorySubscription,
  type MailCategory,
  type MailPreferenceChanges,
} from '@vaultsvc/contracts/notify';
import { Bus } from '@vaultsvc/messaging';
import { MailSubscriptionRepository } from './mail-subscription.repository.js';
import { maskedAddress } from './masked-address.js';
import { categoryKey } from '../category-key.js';
import { PreferenceRepository, type OptOut, type StoredPreferences } from '../preference.repository.js';
import type { Subscribed } from './unsubscribe-links.js';

/** The mails of a sender to one address, as the holder of a link from one of them reads and sets them. */
@Injectable()
export class MailSubscriptions {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly sent: MailSubscriptionRepository,
    private readonly bus: Bus,
  ) {}

  async read(subscribed: Subscribed, context: CallContext): Promise<CategorySubscription> {
    const { accountId, directoryKey, category } = subscribed;
    const [stored, used, organization_name] = await Promise.all([
      this.preferences.read(accountId, directoryKey),
      this.sent.categoriesOf(accountId, directoryKey),
      this.#senderOf(accountId, context),
    ]);
    const off = mailsOff(stored);
    return {
      unsubscribed: off.has('') || (category !== null && off.has(categoryKey(category))),
      channel: 'email',
      category,
      organization_name,
      address: directoryKey.startsWith('email:') ? maskedAddress(directoryKey.slice(6)) : null,
      all_mails_off: off.has(''),
      categories: categoriesOf(off, [...(category === null ? [] : [category]), ...used]),
      quiet_hours: stored.quietHours,
    };
  }

  /** To come back to mails of a kind is to receive them, so it ends a refusal of all mails, too. */
  async change(
    { accountId, directoryKey, category }: Subscribed,
    { unsubscribed, all_mails_off, categories = [], quiet_hours }: MailPreferenceChanges,
  ): Promise<void> {
    const switches: [string | null, boolean | undefined][] = [
      ...categories.map(({ category: one, is_on }): [string, boolean] => [one, is_on]),
      [null, all_mails_off === undefined ? undefined : !all_mails_off],
      [category, unsubscribed === undefined ? undefined : !unsubscribed],
      [null, unsubscribed === false ? true : undefined],
    ];
    await this.preferences.change(accountId, directoryKey, {
      off: mailsOf(switches, false),
      on: mailsOf(switches, true),
      ...(quiet_hours !== undefined && { quietHours: quiet_hours }),
    });
  }

  /** A person unsubscribes even while the name cannot be read. */
  async #senderOf(account_id: string, context: CallContext): Promise<string> {
    return this.bus.call(readLinkPolicy, { body: { account_id } }, serviceContext(context)).then(
      ({ organization_name }) => organization_name,
      () => '',
    );
  }
}

/** The categories of mails that are off, by key with the text that was stored; the empty key is of all. */
function mailsOff({ off }: StoredPreferences): ReadonlyMap<string, string> {
  const mails = off.filter(({ channel }) => channel === 'email');
  return new Map(
    mails.map(({ category }) => [category === null ? '' : categoryKey(category), category ?? '']),
  );
}

/** Those that are off first: they must not be missing from a long list. */
function categoriesOf(off: ReadonlyMap<string, string>, used: readonly string[]): MailCategory[] {
  const shown = new Map<string, string>();
  for (const category of [...off.values(), ...used])
    if (category !== '' && !shown.has(categoryKey(category))) shown.set(categoryKey(category), category);
  return [...shown]
    .slice(0, MAIL_CATEGORIES_MAX)
    .map(([key, category]) => ({ category, is_on: !off.has(key) }))
    .sort((one, other) => one.category.localeCompare(other.category, 'en'));
}

function mailsOf(switches: readonly [string | null, boolean | undefined][], isOn: boolean): OptOut[] {
  return switches
    .filter(([, wanted]) => wanted === isOn)
    .map(([category]) => ({ channel: 'email', category }));
}
