import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../config.js';
import { LinkMessages } from '../link/link-messages.js';
import { linkText } from '../link/link-text.js';
import type { Channel } from '../messages/channel.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import { TwilioSms } from './twilio-sms.js';

/** Composes messages and sends them to phones. All of them are about links. */
@Injectable()
export class SmsChannel implements Channel {
  readonly name = 'phone';
  readonly concurrency = 5;

  constructor(
    private readonly config: NotifyConfig,
    private readonly links: LinkMessages,
    private readonly sms: TwilioSms,
  ) {}

  missingSettings(): string[] {
    const given = { SMS_URL: this.config.SMS_URL.reveal(), SMS_FROM: this.config.SMS_FROM };
    return Object.entries(given).flatMap(([name, value]) => (value === '' ? [name] : []));
  }

  async deliver(message: ClaimedMessage): Promise<boolean> {
    const link = await this.links.describe(message);
    if (!link) return false;
    await this.sms.send({ to: link.to, text: linkText(link, new Date()), expiresAt: link.expires_at });
    return true;
  }
}
