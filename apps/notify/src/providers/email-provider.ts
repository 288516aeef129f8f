import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../config.js';
import { renderMail, type RenderedMail } from '../email/mail-layout.js';
import { escapeHtml, richText, type RichText } from '../text/rich-text.js';
import { CONNECTIONS_MAX, SmtpEmail } from '../email/smtp-email.js';
import { utcTime } from '../text/utc-time.js';
import { headline, titleOf } from './notification-text.js';
import type { InlineContent } from '../sends/plaintext.repository.js';
import { inlineMail } from './inline-mail.js';
import type { NotificationProvider, OutgoingNotification, SentNotification } from './provider.js';
import { missingMailSettings } from '../email/missing-mail-settings.js';

/**
 * Notifications by e-mail. A server has no idempotency key, but all attempts have one Message-ID, by which mail clients show a
 * mail once. The operator's server has to sign the mail by DKIM with both headers of a one-click unsubscription, or else mail
 * clients ignore them (RFC 8058, 4).
 */
@Injectable()
export class EmailProvider implements NotificationProvider {
  readonly channel = 'email';
  readonly concurrency = CONNECTIONS_MAX;
  readonly ratePerSecond: number;

  constructor(
    private readonly config: NotifyConfig,
    private readonly smtp: SmtpEmail,
  ) {
    this.ratePerSecond = config.MAIL_RATE_PER_SECOND;
  }

  missingSettings(): string[] {
    return missingMailSettings(this.config);
  }

  /** Resolves to null: the reply of an SMTP server has no id in a form that all servers share. */
  async send(notification: OutgoingNotification): Promise<null> {
    await this.smtp.send({ ...envelopeOf(notification), ...notificationMail(notification) });
    return null;
  }

  async sendInline(notification: SentNotification, content: InlineContent): Promise<null> {
    const subject = titleOf(notification);
    const body = inlineMail(content, notification.unsubscription?.pageUrl ?? null);
    await this.smtp.send({ ...envelopeOf(notification), subject, ...body });
    return null;
  }
}

function envelopeOf({ deliveryId: id, address: to, unsubscription }: SentNotification) {
  return { id, to, headers: unsubscription === null ? {} : oneClickHeaders(unsubscription.oneClickUrl) };
}

/** RFC 8058, 3.1: one HTTPS address in angle brackets, and the form that a mail client posts to it. */
function oneClickHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** The mail that tells of a sealed message and links to it. The content is not in it. */
export function notificationMail(notification: OutgoingNotification): RenderedMail {
  const { linkUrl, expiresAt, address, unsubscription } = notification;
  const title = titleOf(notification);
  const opening = headline(notification);
  const footer = richText`This mail was sent to ${address} because a service that you use entered this address. Nothing opens until you follow the link.`;
  return renderMail({
    subject: title === '' ? opening : richText`${title}`,
    paragraphs: [
      ...(title === '' ? [] : [followed(opening, '.')]),
      richText`It can be opened once, until ${utcTime(expiresAt)}. The link is for you alone. Do not forward it.`,
    ],
    action: { label: 'Open the message', url: linkUrl },
    footer: unsubscription === null ? footer : withUnsubscribe(footer, unsubscription.pageUrl),
  });
}

function followed({ text, html }: RichText, end: string): RichText {
  return { text: text + end, html: html + end };
}

function withUnsubscribe({ text, html }: RichText, url: string): RichText {
  return {
    text: `${text}\n\nUnsubscribe: ${url}`,
    html: `${html} <a class="link" href="${escapeHtml(url)}" style="color: #0b57c2;">Unsubscribe</a>`,
  };
}
