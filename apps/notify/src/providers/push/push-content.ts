import { headline, titleOf } from '../notification-text.js';
import { addressInvalid } from '../../outbound/provider-failure.js';
import type { OutgoingNotification } from '../provider.js';

/** The text that a device shows, and the data with which the app on it opens the message. */
export interface PushContent {
  readonly title: string;
  readonly body: string;
  /** All values are texts, as FCM requires. */
  readonly data: Readonly<Record<string, string>>;
}

/** The content of a push: the title that the sender chose or else its name, and the link for the app. */
export function pushContent(notification: OutgoingNotification): PushContent {
  const { linkUrl, sendId, category, type, expiresAt } = notification;
  const title = titleOf(notification);
  const opening = headline(notification).text;
  return {
    title: title === '' ? opening : title,
    body: title === '' ? 'Open it to read it once.' : `${opening}.`,
    data: {
      link_url: linkUrl,
      send_id: sendId,
      expires_at: String(expiresAt),
      ...(category !== null && { category }),
      ...(type !== null && { type }),
    },
  };
}

/** Seconds until the link expires: a push service drops a message that it could not deliver by then. */
export function secondsLeft({ expiresAt }: OutgoingNotification): number {
  return Math.max(0, expiresAt - Math.floor(Date.now() / 1_000));
}

/**
 * The object in the address of a device: JSON, because a device needs more than one text.
 * @throws ProviderFailure `ADDRESS_INVALID`
 */
export function deviceOf({ address }: OutgoingNotification): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(address);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The error of the parser would quote the address.
  }
  throw addressInvalid();
}
