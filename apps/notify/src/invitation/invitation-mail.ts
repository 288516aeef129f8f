import type { InvitationText } from '@vaultsvc/contracts/auth';
import { renderMail, type RenderedMail } from '../email/mail-layout.js';
import { richText, sanitizeName, type RichText } from '../text/rich-text.js';
import { utcTime } from '../text/utc-time.js';

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
