import { Injectable } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { describeOwnerNotice, type OwnerNotice } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import { NotifyConfig } from '../config.js';
import { SmtpEmail } from '../email/smtp-email.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import { obsolete, sent, type DeliveryResult } from '../outbound/delivery-result.js';
import { ownerMail } from './owner-mail.js';

/** Sends the mails to owners about a change of the owners. Their content comes from auth when they are sent. */
@Injectable()
export class OwnerMailSender {
  constructor(
    private readonly bus: Bus,
    private readonly config: NotifyConfig,
    private readonly email: SmtpEmail,
  ) {}

  /** @throws DeliveryFailure */
  async deliver(message: ClaimedMessage): Promise<DeliveryResult> {
    const notice = await this.#describe(message);
    if (!notice) return obsolete;
    const mail = ownerMail(notice, this.config.SIGN_IN_URL);
    await this.email.send({ id: message.id, to: notice.email, ...mail });
    return sent;
  }

  /** Undefined once auth has deleted it. */
  async #describe({ id, subject_id, request_id }: ClaimedMessage): Promise<OwnerNotice | undefined> {
    const context = serviceContext({ requestId: request_id ?? id });
    try {
      return await this.bus.call(describeOwnerNotice, { body: { notice_id: subject_id } }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'USER_NOT_FOUND') return undefined;
      throw error;
    }
  }
}
