import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../config.js';
import { utcTime } from '../text/utc-time.js';
import { headline, titleOf } from './notification-text.js';
import { isRejection, isSuccess, postToProvider, refusal } from '../outbound/provider-http.js';
import type { NotificationProvider, OutgoingNotification } from './provider.js';
import { targetOf } from '../outbound/target-url.js';

/**
 * Notifications to a channel of Microsoft Teams by a webhook of Workflows, which accepts an Adaptive Card 1.4 with 202. It has
 * no idempotency keys, so a message whose reply was lost may appear twice.
 */
@Injectable()
export class TeamsProvider implements NotificationProvider {
  readonly channel = 'teams';
  readonly concurrency = 5;
  /** For the webhooks of all accounts together. Teams asks for pauses by 429. */
  readonly ratePerSecond = 20;

  constructor(private readonly config: NotifyConfig) {}

  /** None: the webhook is the account's. */
  missingSettings(): string[] {
    return [];
  }

  /** Resolves to null: a workflow gives no id of the message. */
  async send(notification: OutgoingNotification): Promise<null> {
    const target = targetOf(notification.address, this.config);
    const body = JSON.stringify(messageOf(notification));
    const headers = { 'content-type': 'application/json' };
    const reply = await postToProvider({ ...target, headers, body });
    if (isSuccess(reply)) return null;
    throw refusal(reply, { isFinal: isRejection(reply.status) });
  }
}

function messageOf(notification: OutgoingNotification) {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: linesOf(notification),
    actions: [{ type: 'Action.OpenUrl', title: 'Open the message', url: notification.linkUrl }],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] };
}

function linesOf(notification: OutgoingNotification) {
  const { recipient, expiresAt } = notification;
  const title = titleOf(notification);
  return [
    line(headline(notification).text, { weight: 'Bolder', size: 'Medium' }),
    ...(title === '' ? [] : [line(title)]),
    line(`For ${recipient}. Opens once, until ${utcTime(expiresAt)}.`, { isSubtle: true, size: 'Small' }),
  ];
}

/** A TextRun, unlike a TextBlock, shows Markdown as it is: a name can contain no link. */
function line(text: string, style: Readonly<Record<string, unknown>> = {}) {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: asTyped(text), ...style }] };
}

/**
 * Some clients decode these entities in a TextRun and others show them, so that escaping helps with neither; all format
 * `{{DATE(…)}}` and `{{TIME(…)}}`. An invisible word joiner (U+2060) breaks both up.
 */
function asTyped(text: string): string {
  return text
    .replace(/&(?=(?:quot|lt|gt|nbsp|amp);)/g, '&\u2060')
    .replace(/\{(?=\{(?:DATE|TIME)\()/g, '{\u2060');
}
