import { Injectable } from '@nestjs/common';
import webPush, { type PushSubscription } from 'web-push';
import { NotifyConfig } from '../../config.js';
import { addressInvalid, ProviderFailure, unconfigured } from '../../outbound/provider-failure.js';
import { isRejection, isSuccess, postToProvider, refusal } from '../../outbound/provider-http.js';
import type { NotificationProvider, OutgoingNotification } from '../provider.js';
import { deviceOf, pushContent, secondsLeft } from './push-content.js';
import { emptySettings } from '../../outbound/empty-settings.js';
import { targetOf } from '../../outbound/target-url.js';

/** The greatest payload: encrypted, it has the 4,096 bytes that every push service accepts (RFC 8291, 4). */
const PAYLOAD_BYTES_MAX = 3_993;

/**
 * Notifications to browsers: RFC 8030, encrypted for the browser (RFC 8291) and signed with VAPID (RFC 8292). The address is
 * the JSON of a PushSubscription. Its endpoint is a URL that came from a browser, so it must be public.
 */
@Injectable()
export class WebPushProvider implements NotificationProvider {
  readonly channel = 'web_push';
  readonly concurrency = 20;
  /** The push services of browsers publish no limit; they ask for pauses by 429. */
  readonly ratePerSecond = 100;

  constructor(private readonly config: NotifyConfig) {}

  missingSettings(): string[] {
    const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT } = this.config;
    return emptySettings({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT });
  }

  /** Resolves to null: the address of a message at a push service would allow deleting it. */
  async send(notification: OutgoingNotification): Promise<null> {
    if (this.missingSettings().length > 0) throw unconfigured();
    const subscription = subscriptionOf(notification);
    const target = targetOf(subscription.endpoint, this.config);
    const { headers, body } = this.#encrypted(subscription, notification);
    const reply = await postToProvider({ ...target, headers, body });
    if (isSuccess(reply)) return null;
    const isAddressGone = reply.status === 404 || reply.status === 410; // RFC 8030, 7.3
    throw refusal(reply, { isAddressGone, isFinal: isAddressGone || isFinal(reply.status) });
  }

  /** The topic makes a push service replace a message that was sent twice while the browser is away (RFC 8030, 5.4). */
  #encrypted(subscription: PushSubscription, notification: OutgoingNotification) {
    const payload = payloadOf(notification);
    const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT } = this.config;
    const vapidDetails = {
      subject: VAPID_SUBJECT,
      publicKey: VAPID_PUBLIC_KEY,
      privateKey: VAPID_PRIVATE_KEY.reveal(),
    };
    const topic = notification.deliveryId.replaceAll('-', '');
    const options = { vapidDetails, topic, TTL: secondsLeft(notification), urgency: 'high' } as const;
    try {
      const { headers, body } = webPush.generateRequestDetails(subscription, payload, options);
      return { headers: textsOf(headers), body };
    } catch {
      throw addressInvalid(); // keys of the subscription that are no keys; the error may quote them
    }
  }
}

function subscriptionOf(notification: OutgoingNotification): PushSubscription {
  const { endpoint, keys } = deviceOf(notification);
  const { p256dh, auth } = Object(keys) as Record<string, unknown>;
  if (typeof endpoint !== 'string' || typeof p256dh !== 'string' || typeof auth !== 'string')
    throw addressInvalid();
  return { endpoint, keys: { p256dh, auth } };
}

function payloadOf(notification: OutgoingNotification): string {
  const payload = JSON.stringify(pushContent(notification));
  if (Buffer.byteLength(payload) > PAYLOAD_BYTES_MAX)
    throw new ProviderFailure('PAYLOAD_TOO_LARGE', { isFinal: true });
  return payload;
}

/** 401 and 403 are about our VAPID keys, which the operator can correct. */
function isFinal(status: number): boolean {
  return isRejection(status) && status !== 401 && status !== 403;
}

function textsOf(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
