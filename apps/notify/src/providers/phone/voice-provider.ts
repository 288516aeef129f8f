import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../../config.js';
import { escapeHtml } from '../../text/rich-text.js';
import { headline, titleOf } from '../notification-text.js';
import { unconfigured } from '../../outbound/provider-failure.js';
import type { NotificationProvider, OutgoingNotification } from '../provider.js';
import { emptySettings } from '../../outbound/empty-settings.js';
import { assertNumber, TwilioClient } from '../../sms/twilio-client.js';

/**
 * Notifications by a call, through Twilio's Calls API. The call names the sender and the title, and says that a sealed message
 * waits. It never reads the link or its code: an answering machine would record it, and people nearby would hear it. The
 * recipient opens the message by another channel of the send or in the sender's application.
 */
@Injectable()
export class VoiceProvider implements NotificationProvider {
  readonly channel = 'voice';
  readonly concurrency = 2;
  /** The initial limit of a Twilio account. */
  readonly ratePerSecond = 1;
  readonly #twilio: TwilioClient;

  constructor(private readonly config: NotifyConfig) {
    this.#twilio = new TwilioClient(config);
  }

  missingSettings(): string[] {
    const { SMS_URL, VOICE_FROM } = this.config;
    return emptySettings({ SMS_URL, VOICE_FROM });
  }

  async send(notification: OutgoingNotification): Promise<string | null> {
    if (this.missingSettings().length > 0) throw unconfigured();
    assertNumber(notification.address);
    const form = { To: notification.address, From: this.config.VOICE_FROM, Twiml: twimlOf(notification) };
    return this.#twilio.createCall(form);
  }
}

/** Says it twice: the first words are often lost while the phone is raised. */
function twimlOf(notification: OutgoingNotification): string {
  const title = titleOf(notification);
  const about = title === '' ? '' : ` Its title is: ${title}.`;
  const words = `${headline(notification).text}.${about} To read it, open your messages or the application of the sender.`;
  return `<Response><Say language="en-US" loop="2">${escapeHtml(words)}</Say></Response>`;
}
