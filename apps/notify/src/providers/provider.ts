import type { Secret } from '@vaultsvc/config';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import type { Unsubscription } from '../recipients/unsubscribe/unsubscribe-links.js';
import type { InlineContent } from '../sends/plaintext.repository.js';

/** One message of a notification to one address. Everything in it may be shown to the recipient. */
export interface SentNotification {
  /** A UUID, the same in all attempts: the provider's idempotency key where it has one. */
  readonly deliveryId: string;
  /** An e-mail address, an E.164 number, the JSON of a push token or subscription, or the URL of a target. */
  readonly address: string;
  readonly organizationName: string;
  readonly title: string | null;
  readonly category: string | null;
  readonly type: string | null;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Of mails. */
  readonly unsubscription: Unsubscription | null;
  readonly sendId: string;
  /** As the sender named the recipient: for webhook, slack and teams, whose address is the account's. */
  readonly recipient: string;
  /** The secrets that sign webhooks of the account: the present one, then those that it has replaced within a day. */
  readonly secrets?: readonly Secret[];
}

/** A message whose content is behind a link. */
export interface OutgoingNotification extends SentNotification {
  readonly linkUrl: string;
}

/** Delivers the messages of one channel (NTF-43). */
export interface NotificationProvider {
  readonly channel: NotifyChannel;
  /** Messages that are sent concurrently. */
  readonly concurrency: number;
  /** Most messages a second that one instance gives to the provider. */
  readonly ratePerSecond: number;
  /** Names of required settings that are not set; while there are any, the channel is `unconfigured`. */
  missingSettings(): string[];
  /**
   * Returns the provider's id of the message, or null if it has none.
   * @throws DeliveryFailure
   */
  send(notification: OutgoingNotification): Promise<string | null>;
  /** As `send`, with the content itself (NTF-26). Absent for channels that never carry it. */
  sendInline?(notification: SentNotification, content: InlineContent): Promise<string | null>;
}
