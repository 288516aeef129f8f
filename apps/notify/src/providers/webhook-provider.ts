import { Injectable } from '@nestjs/common';
import type { Secret } from '@vaultsvc/config';
import { webhookSignature, type WebhookParts } from '@vaultsvc/crypto/mac';
import { NotifyConfig } from '../config.js';
import { unconfigured } from '../outbound/provider-failure.js';
import { isSuccess, postToProvider, refusal } from '../outbound/provider-http.js';
import type { NotificationProvider, OutgoingNotification } from './provider.js';
import { targetOf } from '../outbound/target-url.js';

/** Standard Webhooks 1.0.0 recommends 15 to 30 seconds. */
const TIMEOUT_MS = 15_000;

/**
 * Notifications to a server of the account, signed as in Standard Webhooks 1.0.0. All attempts have one `webhook-id`, by which
 * the receiver ignores repetitions. 2xx is success; anything else is tried again, redirects included, which are not followed;
 * 410 means that the receiver wants no more.
 */
@Injectable()
export class WebhookProvider implements NotificationProvider {
  readonly channel = 'webhook';
  readonly concurrency = 20;
  /** For the targets of all accounts together. */
  readonly ratePerSecond = 50;

  constructor(private readonly config: NotifyConfig) {}

  /** None: target and secret are the account's. */
  missingSettings(): string[] {
    return [];
  }

  /** Resolves to null: a receiver gives no id. */
  async send(notification: OutgoingNotification): Promise<null> {
    const { address, deliveryId: id, secrets = [] } = notification;
    if (secrets.length === 0) throw unconfigured();
    const target = targetOf(address, this.config);
    const now = new Date();
    const timestamp = Math.floor(now.getTime() / 1_000);
    const body = bodyOf(notification, now);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures(secrets, { id, timestamp, body }),
    };
    const reply = await postToProvider({ ...target, headers, body, timeoutMs: TIMEOUT_MS });
    if (isSuccess(reply)) return null;
    const isGone = reply.status === 410;
    throw refusal(reply, { isFinal: isGone, isAddressGone: isGone });
  }
}

/** One signature for each secret: a receiver accepts the request if one of them is right (Standard Webhooks 1.0.0). */
function signatures(secrets: readonly Secret[], parts: WebhookParts): string {
  return secrets.map((secret) => webhookSignature(secret.reveal(), parts)).join(' ');
}

function bodyOf(notification: OutgoingNotification, now: Date): string {
  const { sendId, recipient, organizationName, title, category, type, linkUrl, expiresAt } = notification;
  return JSON.stringify({
    type: 'notification',
    timestamp: now.toISOString(),
    data: {
      send_id: sendId,
      recipient,
      organization_name: organizationName,
      title,
      category,
      type,
      link_url: linkUrl,
      expires_at: expiresAt,
    },
  });
}
