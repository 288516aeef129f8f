import { Inject, Injectable } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { describeInvitation, type InvitationText } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import { NotifyConfig } from '../config.js';
import type { Email } from '../email/smtp-email.js';
import { invitationMail } from '../invitation/invitation-mail.js';
import type { ClaimedMail } from './mail.repository.js';

/** Writes a mail at the moment it is sent: to whom and about what is asked of the service that knows the person. */
@Injectable()
export class MailComposer {
  constructor(
    @Inject(Bus) private readonly bus: Bus,
    @Inject(NotifyConfig) private readonly config: NotifyConfig,
  ) {}

  /** Nothing when there is nobody to write to any more: the invitation was accepted or withdrawn. */
  async compose(mail: ClaimedMail): Promise<Email | undefined> {
    const invitation = await this.#invitation(mail);
    if (!invitation) return undefined;
    return {
      id: mail.id,
      to: invitation.email,
      ...invitationMail(invitation, this.config.SIGN_IN_URL),
    };
  }

  async #invitation({
    id,
    subject_id: userId,
    request_id: requestId,
  }: ClaimedMail): Promise<InvitationText | undefined> {
    const context = serviceContext(requestId ?? id);
    try {
      return await this.bus.call(describeInvitation, { body: { user_id: userId } }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'USER_NOT_FOUND') return undefined;
      throw error;
    }
  }
}
