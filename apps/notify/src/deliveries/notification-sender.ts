import { Injectable } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { resolveGrants, type ResolvedGrant } from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';
import type { NotificationProvider, SentNotification } from '../providers/provider.js';
import { categoryKey } from '../recipients/category-key.js';
import { emailKey, preferenceKeysOf } from '../recipients/preference-keys.js';
import { PreferenceRepository } from '../recipients/preference.repository.js';
import { UnsubscribeLinks, type Unsubscription } from '../recipients/unsubscribe/unsubscribe-links.js';
import { PlaintextRepository } from '../sends/plaintext.repository.js';
import { AddressBook, type Address } from './address-book.js';
import { AddressSender, held } from './address-sender.js';
import type { DeliveryResult } from '../outbound/delivery-result.js';
import { NotificationRepository, type StoredNotification } from './notification.repository.js';

/** Categories whose later steps do not wait for the end of quiet hours. */
const URGENT: readonly string[] = ['secure', 'security'];

/**
 * Sends the messages of notifications. Everything that can make a message obsolete is checked when it is due, not when it was
 * planned: whether the recipient has opened the link, has switched the channel off, or sleeps. Only then is the link read.
 */
@Injectable()
export class NotificationSender {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly preferences: PreferenceRepository,
    private readonly addresses: AddressBook,
    private readonly sender: AddressSender,
    private readonly unsubscribeLinks: UnsubscribeLinks,
    private readonly contents: PlaintextRepository,
    private readonly bus: Bus,
  ) {}

  /** Throws DeliveryFailure. */
  async deliver(messageId: string, provider: NotificationProvider): Promise<DeliveryResult> {
    const stored = await this.notifications.read(messageId);
    if (!stored) return { kind: 'obsolete', reason: 'SEND_DELETED' };
    const exempt = await this.#exemption(stored);
    if (exempt) return exempt;
    const addresses = await this.addresses.of(stored);
    if ('kind' in addresses) return addresses;
    const heldSeconds = this.sender.heldSeconds(stored, addresses);
    if (heldSeconds > 0)
      return isOver(stored) ? { kind: 'obsolete', reason: 'LINK_EXPIRED' } : held(stored, heldSeconds);
    if (stored.link_id === null) return this.#deliverInline(stored, addresses, provider);
    const grant = await this.#grantOf(stored, stored.link_id);
    const linkUrl = grant?.link_url ?? null;
    if (linkUrl === null) return { kind: 'obsolete', reason: reasonOf(grant) };
    const notification = { ...(await this.#compose(stored)), linkUrl };
    return this.sender.send(stored, addresses, (address) => provider.send({ ...notification, ...address }));
  }

  /** The rules of plaintext sends name no other channel than those that carry content. */
  async #deliverInline(
    stored: StoredNotification,
    addresses: readonly Address[],
    provider: NotificationProvider,
  ): Promise<DeliveryResult> {
    const content = await this.contents.open(stored.account_id, stored.send_id);
    if (!content) return { kind: 'obsolete', reason: 'SEND_DELETED' };
    const notification = await this.#compose(stored);
    return this.sender.send(stored, addresses, async (address) => {
      if (!provider.sendInline) throw new Error(`${provider.channel} carries no content`);
      return provider.sendInline({ ...notification, ...address }, content);
    });
  }

  async #exemption(stored: StoredNotification): Promise<DeliveryResult | undefined> {
    if (stored.is_seen) return { kind: 'obsolete', reason: 'SEEN' };
    const { account_id, channel, category, step } = stored;
    const keys = preferenceKeysOf(stored);
    const { isOff, quietSeconds } = await this.preferences.forMessage(account_id, keys, channel, category);
    if (isOff) return { kind: 'obsolete', reason: 'OPTED_OUT' };
    const waits = step > 0 && quietSeconds > 0 && !URGENT.includes(categoryKey(category ?? ''));
    return waits ? { kind: 'postponed', seconds: quietSeconds } : undefined;
  }

  async #grantOf(
    { delivery_id, account_id }: StoredNotification,
    linkId: string,
  ): Promise<ResolvedGrant | undefined> {
    const body = { account_id, link_ids: [linkId] };
    const { grants } = await this.bus.call(
      resolveGrants,
      { body },
      serviceContext({ requestId: delivery_id }),
    );
    return grants[0];
  }

  async #compose(stored: StoredNotification): Promise<Omit<SentNotification, 'address'>> {
    return {
      deliveryId: stored.delivery_id,
      organizationName: stored.organization_name,
      title: stored.title,
      category: stored.category,
      type: stored.type,
      expiresAt: stored.expires_at,
      unsubscription: await this.#unsubscriptionOf(stored),
      sendId: stored.send_id,
      recipient: stored.label,
    };
  }

  /** A mail's link is about its address: a person who was written to under several ids unsubscribes once. */
  async #unsubscriptionOf(stored: StoredNotification): Promise<Unsubscription | null> {
    const { account_id: accountId, channel, email, category } = stored;
    if (channel !== 'email' || email === null) return null;
    return this.unsubscribeLinks.unsubscriptionOf({ accountId, directoryKey: emailKey(email), category });
  }
}

/** A message that waits for its target ends with its link. */
function isOver({ expires_at: expiresAt }: StoredNotification): boolean {
  return expiresAt * 1_000 <= Date.now();
}

function reasonOf(grant: ResolvedGrant | undefined): string {
  if (!grant) return 'LINK_ENDED';
  return grant.status === 'consumed' ? 'SEEN' : `LINK_${grant.status.toUpperCase()}`;
}
