import { Injectable } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { describeDomainWarning, type DomainWarning } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import { NotifyConfig } from '../config.js';
import { SmtpEmail } from '../email/smtp-email.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import { obsolete, sent, type DeliveryResult } from '../outbound/delivery-result.js';
import { domainWarningMail } from './domain-warning-mail.js';
import { readSubject } from './domain-warning-subject.js';

/** Sends warnings about claimed domains to their owners. Their content comes from auth when they are sent. */
@Injectable()
export class DomainWarningSender {
  constructor(
    private readonly bus: Bus,
    private readonly config: NotifyConfig,
    private readonly email: SmtpEmail,
  ) {}

  /** @throws DeliveryFailure */
  async deliver(message: ClaimedMessage): Promise<DeliveryResult> {
    const warning = await this.#describe(message);
    if (!warning) return obsolete;
    const mail = domainWarningMail(warning, this.config.SIGN_IN_URL);
    await this.email.send({ id: message.id, to: warning.email, ...mail });
    return sent;
  }

  /** Undefined if the warning is obsolete: the record was found, the claim has ended, or the owner has left. */
  async #describe(message: ClaimedMessage): Promise<DomainWarning | undefined> {
    const context = serviceContext({ requestId: message.request_id ?? message.id });
    try {
      return await this.bus.call(describeDomainWarning, { body: readSubject(message.subject_id) }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'DOMAIN_NOT_FOUND') return undefined;
      throw error;
    }
  }
}
