import type { InvitationText } from '@vaultsvc/contracts/auth';
import { write, type Written } from '../email/layout.js';
import { prose, shownName, type Prose } from '../email/prose.js';

/** The mail that invites a person: who, to which organization, how to join, and that it may be ignored. */
export function invitationMail(invitation: InvitationText, signInUrl: string): Written {
  const organization = shownName(invitation.organization_name);
  return write({
    subject: headline(invitation, organization),
    paragraphs: [
      prose`To join ${organization}, sign in with this e-mail address: ${invitation.email}. You belong to the organization as soon as you have signed in.`,
    ],
    action: { label: 'Sign in and join', url: signInUrl },
    footer: prose`This mail was sent to ${invitation.email} because somebody entered this address. If you did not expect it, ignore it: nothing happens until you sign in.`,
  });
}

/** A name is never taken for an address, whatever its shape: only an address is shown with its dots. */
function headline(
  { invited_by: name, invited_by_email: email }: InvitationText,
  organization: string,
): Prose {
  const inviter = shownName(name ?? '') || email;
  return inviter === null
    ? prose`You are invited to ${organization} on vaultsvc`
    : prose`${inviter} invites you to ${organization} on vaultsvc`;
}
