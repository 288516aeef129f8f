import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../../config.js';
import { sender } from '../../operator-settings/sms-settings.js';
import { shortText } from '../notification-text.js';
import { unconfigured } from '../../outbound/provider-failure.js';
import type { NotificationProvider, OutgoingNotification } from '../provider.js';
import { emptySettings } from '../../outbound/empty-settings.js';
import { assertNumber, TwilioClient } from '../../sms/twilio-client.js';

/**
 * Notifications by RCS, through Twilio's Messages API. The prefix of the number keeps Twilio from sending a text message
 * instead: the escalation of the send decides about other channels.
 */
@Injectable()
export class RcsProvider implements NotificationProvider {
  readonly channel = 'rcs';
  readonly concurrency = 5;
  /** As for text messages, which share Twilio's limit of requests. */
  readonly ratePerSecond = 10;
  readonly #twilio: TwilioClient;

  constructor(private readonly config: NotifyConfig) {
    this.#twilio = new TwilioClient(config);
  }

  missingSettings(): string[] {
    const { SMS_URL, RCS_FROM } = this.config;
    return emptySettings({ SMS_URL, RCS_FROM });
  }

  async send(notification: OutgoingNotification): Promise<string | null> {
    const { address, expiresAt } = notification;
    if (this.missingSettings().length > 0) throw unconfigured();
    assertNumber(address);
    const form = { To: `rcs:${address}`, ...sender(this.config.RCS_FROM), Body: shortText(notification) };
    return this.#twilio.createMessage(form, expiresAt);
  }
}
