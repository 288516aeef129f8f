import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../../config.js';
import { TwilioSms } from '../../sms/twilio-sms.js';
import { shortText } from '../notification-text.js';
import type { NotificationProvider, OutgoingNotification } from '../provider.js';
import { emptySettings } from '../../outbound/empty-settings.js';

/** Notifications by text message. */
@Injectable()
export class SmsProvider implements NotificationProvider {
  readonly channel = 'sms';
  readonly concurrency = 5;
  /** Twilio queues what a sender cannot send at once; this leaves the rest of its limit of requests to the other channels. */
  readonly ratePerSecond = 10;

  constructor(
    private readonly config: NotifyConfig,
    private readonly sms: TwilioSms,
  ) {}

  missingSettings(): string[] {
    const { SMS_URL, SMS_FROM } = this.config;
    return emptySettings({ SMS_URL, SMS_FROM });
  }

  async send(notification: OutgoingNotification): Promise<string | null> {
    const { address: to, expiresAt } = notification;
    return this.sms.send({ to, text: shortText(notification), expiresAt });
  }
}
