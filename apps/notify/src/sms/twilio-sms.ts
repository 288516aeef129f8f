import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../config.js';
import { unconfigured } from '../outbound/provider-failure.js';
import { assertNumber, TwilioClient } from './twilio-client.js';
import { sender } from '../operator-settings/sms-settings.js';

/** A text message to one phone. */
export interface Sms {
  /** E.164. */
  readonly to: string;
  readonly text: string;
  /** Epoch seconds after which the provider drops a queued message; null: no limit. */
  readonly expiresAt: number | null;
}

/** Sends text messages through Twilio's Messages API or a compatible one. */
@Injectable()
export class TwilioSms {
  readonly #twilio: TwilioClient;
  readonly #from: string;

  constructor(config: NotifyConfig) {
    this.#twilio = new TwilioClient(config);
    this.#from = config.SMS_FROM;
  }

  /**
   * Resolves to Twilio's id once it has accepted the message. Twilio has no idempotency keys: if its reply is lost, the failure
   * has `isAnswerLost`, and a retry may deliver the message twice.
   * @throws ProviderFailure
   */
  async send({ to, text, expiresAt }: Sms): Promise<string | null> {
    if (this.#from === '') throw unconfigured();
    assertNumber(to);
    return this.#twilio.createMessage({ To: to, ...sender(this.#from), Body: text }, expiresAt);
  }
}
