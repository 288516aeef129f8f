import { Injectable } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { describeInvitation, type InvitationText } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import { NotifyConfig } from '../config.js';
import { SmtpEmail } from '../email/smtp-email.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import { obsolete, sent, type DeliveryResult } from '../outbound/delivery-result.js';
import { invitationMail } from './invitation-mail.js';

/** Sends invitations into organizations. Their content comes from auth when they are sent, and is not stored here. */
@Injectable()
export class InvitationSender {
  constructor(
    private readonly bus: Bus,
    private readonly config: NotifyConfig,
    private readonly email: SmtpEmail,
  ) {}

  /** @throws DeliveryFailure */
  async deliver(message: ClaimedMessage): Promise<DeliveryResult> {
    const invitation = await this.#describe(message);
    if (!invitation) return obsolete;
    const mail = invitationMail(invitation, this.config.SIGN_IN_URL);
    await this.email.send({ id: message.id, to: invitation.email, ...mail });
    return sent;
  }

  /** Undefined once the invitation was withdrawn, declined or accepted. */
  async #describe({
    id,
    subject_id: user_id,
    request_id: requestId,
  }: ClaimedMessage): Promise<InvitationText | undefined> {
    try {
      return await this.bus.call(
        describeInvitation,
        { body: { user_id } },
        serviceContext({ requestId: requestId ?? id }),
      );
    } catch (error) {
      if (error instanceof AppError && error.reason === 'USER_NOT_FOUND') return undefined;
      throw error;
    }
  }
}
