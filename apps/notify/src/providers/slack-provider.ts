import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../config.js';
import { utcTime } from '../text/utc-time.js';
import { headline, titleOf } from './notification-text.js';
import { isRejection, isSuccess, postToProvider, refusal } from '../outbound/provider-http.js';
import type { NotificationProvider, OutgoingNotification } from './provider.js';
import { targetOf } from '../outbound/target-url.js';

/** Slack's errors of incoming webhooks. Other texts of a reply are not kept. */
const KNOWN_ERROR =
  /^(action_prohibited|channel_is_archived|channel_not_found|invalid_blocks|invalid_payload|invalid_token|no_active_hooks|no_service|no_service_id|no_team|no_text|posting_to_general_channel_denied|rollup_error|team_disabled|user_not_found)\s*$/;

/**
 * Notifications to a channel of Slack by its incoming webhook. Slack answers an error as 4xx with its code as text; such a
 * message would be rejected again. Slack has no idempotency keys, so a message whose reply was lost may appear twice.
 */
@Injectable()
export class SlackProvider implements NotificationProvider {
  readonly channel = 'slack';
  readonly concurrency = 5;
  /** For the webhooks of all accounts together. Slack allows one message a second to each, and asks for pauses by 429. */
  readonly ratePerSecond = 20;

  constructor(private readonly config: NotifyConfig) {}

  /** None: the webhook is the account's. */
  missingSettings(): string[] {
    return [];
  }

  /** Resolves to null: an incoming webhook gives no id. */
  async send(notification: OutgoingNotification): Promise<null> {
    const target = targetOf(notification.address, this.config);
    const body = JSON.stringify(messageOf(notification));
    const headers = { 'content-type': 'application/json' };
    const reply = await postToProvider({ ...target, headers, body });
    if (isSuccess(reply)) return null;
    const [, error] = KNOWN_ERROR.exec(reply.body) ?? [];
    throw refusal(reply, { isFinal: isRejection(reply.status) }, error);
  }
}

/**
 * Texts that a person chose are `plain_text`, which has no links, mentions and formats. Slack decodes entities in all texts, so
 * that all are escaped. It must not fetch the link for a preview.
 */
function messageOf(notification: OutgoingNotification) {
  const { linkUrl, expiresAt, recipient } = notification;
  const title = titleOf(notification);
  const opening = headline(notification).text;
  const plain = (text: string) => ({ type: 'plain_text', text: escaped(text), emoji: false });
  return {
    text: escaped(title === '' ? opening : `${opening}: ${title}`),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: plain(opening) },
      ...(title === '' ? [] : [{ type: 'section', text: plain(title) }]),
      { type: 'section', text: { type: 'mrkdwn', text: `<${escaped(linkUrl)}|Open the message>` } },
      {
        type: 'context',
        elements: [plain(`For ${recipient}. Opens once, until ${utcTime(expiresAt)}.`)],
      },
    ],
  };
}

/** Slack's control characters, which begin links, mentions and entities. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
