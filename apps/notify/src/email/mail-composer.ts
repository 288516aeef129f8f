import { Injectable } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { describeInvitation, type InvitationText } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import { NotifyConfig } from '../config.js';
import { domainWarningMail } from '../domain/domain-warning-mail.js';
import { DomainWarnings } from '../domain/domain-warnings.js';
import { linkMail } from '../link/link-mail.js';
import { LinkMessages } from '../link/link-messages.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import type { Email } from './smtp-email.js';
import { renderMail, type RenderedMail } from './mail-layout.js';
import { richText, sanitizeName, type RichText } from './rich-text.js';
import { utcTime } from './utc-time.js';

/** Composes a mail when it is sent: recipient and content come from the service that owns them, and are not stored here. */
@Injectable()
export class MailComposer {
  constructor(
    private readonly bus: Bus,
    private readonly config: NotifyConfig,
    private readonly links: LinkMessages,
    private readonly warnings: DomainWarnings,
  ) {}

  /** Undefined if the mail is obsolete: its subject has ended. */
  async compose(message: ClaimedMessage): Promise<Email | undefined> {
    if (message.kind === 'invitation') return this.#toInvited(message);
    return message.kind === 'domain_warning' ? this.#toOwner(message) : this.#aboutLink(message);
  }

  async #toOwner(message: ClaimedMessage): Promise<Email | undefined> {
    const warning = await this.warnings.describe(message);
    if (!warning) return undefined;
    return { id: message.id, to: warning.email, ...domainWarningMail(warning, this.config.SIGN_IN_URL) };
  }

  async #toInvited(message: ClaimedMessage): Promise<Email | undefined> {
    const invitation = await this.#invitation(message);
    if (!invitation) return undefined;
    return {
      id: message.id,
      to: invitation.email,
      ...invitationMail(invitation, this.config.SIGN_IN_URL),
    };
  }

  async #aboutLink(message: ClaimedMessage): Promise<Email | undefined> {
    const link = await this.links.describe(message);
    return link && { id: message.id, to: link.to, ...linkMail(link, new Date()) };
  }

  async #invitation({
    id,
    subject_id: userId,
    request_id: requestId,
  }: ClaimedMessage): Promise<InvitationText | undefined> {
    const context = serviceContext(requestId ?? id);
    try {
      return await this.bus.call(describeInvitation, { body: { user_id: userId } }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'USER_NOT_FOUND') return undefined;
      throw error;
    }
  }
}

/** The mail that invites a person: inviter, organization, how to join, and that it may be ignored. */
export function invitationMail(invitation: InvitationText, signInUrl: string): RenderedMail {
  const organization = sanitizeName(invitation.organization_name);
  return renderMail({
    subject: headline(invitation, organization),
    paragraphs: [
      richText`To join ${organization}, sign in with this e-mail address: ${invitation.email}. Then accept the invitation, or decline it.`,
      richText`The invitation expires on ${utcTime(invitation.expires_at)}.`,
    ],
    action: { label: 'Sign in to accept', url: signInUrl },
    footer: richText`This mail was sent to ${invitation.email} because somebody entered this address. If you did not expect it, ignore it: you join nothing unless you accept.`,
  });
}

/** Only the address of the inviter keeps its dots; a name that looks like an address is sanitized. */
function headline(
  { invited_by: name, invited_by_email: email }: InvitationText,
  organization: string,
): RichText {
  const inviter = sanitizeName(name ?? '') || email;
  return inviter === null
    ? richText`You are invited to ${organization} on vaultsvc`
    : richText`${inviter} invites you to ${organization} on vaultsvc`;
}
