import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../../config.js';
import { shortHeadline, shortText } from '../notification-text.js';
import { unconfigured } from '../../outbound/provider-failure.js';
import type { NotificationProvider, OutgoingNotification } from '../provider.js';
import { emptySettings } from '../../outbound/empty-settings.js';
import { assertNumber, TwilioClient, type TwilioForm } from '../../sms/twilio-client.js';

/**
 * Notifications by WhatsApp, through Twilio's Messages API. WhatsApp delivers free text only within 24 hours of a message of
 * the recipient; all others need an approved template, the setting WHATSAPP_TEMPLATE.
 */
@Injectable()
export class WhatsAppProvider implements NotificationProvider {
  readonly channel = 'whatsapp';
  readonly concurrency = 5;
  /** Below the 80 messages a second of a WhatsApp sender. */
  readonly ratePerSecond = 40;
  readonly #twilio: TwilioClient;

  constructor(private readonly config: NotifyConfig) {
    this.#twilio = new TwilioClient(config);
  }

  missingSettings(): string[] {
    const { SMS_URL, WHATSAPP_FROM } = this.config;
    return emptySettings({ SMS_URL, WHATSAPP_FROM });
  }

  async send(notification: OutgoingNotification): Promise<string | null> {
    const { address, expiresAt } = notification;
    if (this.missingSettings().length > 0) throw unconfigured();
    assertNumber(address);
    const parties = { To: `whatsapp:${address}`, From: `whatsapp:${this.config.WHATSAPP_FROM}` };
    return this.#twilio.createMessage({ ...parties, ...this.#content(notification) }, expiresAt);
  }

  #content(notification: OutgoingNotification): TwilioForm {
    const { WHATSAPP_TEMPLATE } = this.config;
    if (WHATSAPP_TEMPLATE === '') return { Body: shortText(notification) };
    const variables = { 1: shortHeadline(notification), 2: notification.linkUrl };
    return { ContentSid: WHATSAPP_TEMPLATE, ContentVariables: JSON.stringify(variables) };
  }
}
