import { Injectable } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { describeMessage, type LinkMessage } from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';
import { SmtpEmail } from '../email/smtp-email.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import { obsolete, sent, type DeliveryResult } from '../outbound/delivery-result.js';
import { TwilioSms } from '../sms/twilio-sms.js';
import { linkMail } from './link-mail.js';
import { linkText } from './link-text.js';

/** Sends messages about links, by mail or text message. Their content comes from sparks when they are sent. */
@Injectable()
export class LinkMessageSender {
  constructor(
    private readonly bus: Bus,
    private readonly email: SmtpEmail,
    private readonly sms: TwilioSms,
  ) {}

  /** @throws DeliveryFailure */
  async deliver(message: ClaimedMessage): Promise<DeliveryResult> {
    const link = await this.#describe(message);
    if (!link) return obsolete;
    if (message.channel === 'email') await this.email.send(this.#mail(message, link));
    else await this.sms.send({ to: link.to, text: linkText(link, new Date()), expiresAt: link.expires_at });
    return sent;
  }

  #mail({ id }: ClaimedMessage, link: LinkMessage) {
    return { id, to: link.to, ...linkMail(link, new Date()) };
  }

  /** Undefined if the message is obsolete: the invite was withdrawn, the link has ended or the code has expired. */
  async #describe(message: ClaimedMessage): Promise<LinkMessage | undefined> {
    const context = serviceContext({ requestId: message.request_id ?? message.id });
    const body = { message_id: message.subject_id, account_id: message.account_id };
    try {
      return await this.bus.call(describeMessage, { body }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'LINK_NOT_FOUND') return undefined;
      throw error;
    }
  }
}
