import type { OwnerChange, OwnerNotice } from '@vaultsvc/contracts/auth';
import { renderMail, type RenderedMail } from '../email/mail-layout.js';
import { richText, sanitizeName, type RichText } from '../text/rich-text.js';

/** The mail that reports to an owner who became an owner of the organization, or is none any more. */
export function ownerMail(notice: OwnerNotice, signInUrl: string): RenderedMail {
  const { email } = notice;
  const organization = sanitizeName(notice.organization_name);
  return renderMail({
    subject: richText`The owners of ${organization} on vaultsvc have changed`,
    paragraphs: [
      report(notice, organization),
      richText`Owners decide about people, keys, settings and billing. If this is unexpected, sign in and check the people of ${organization}, or ask another owner.`,
    ],
    action: { label: 'Sign in', url: signInUrl },
    footer: richText`This mail was sent to ${email} because every owner of ${organization} gets it, former ones included.`,
  });
}

function report({ change, person_email: person, actor_email }: OwnerNotice, organization: string): RichText {
  const actor = actor_email ?? 'An owner';
  const reports: Readonly<Record<OwnerChange, RichText>> = {
    invited: richText`${actor} has invited ${person} to be an owner of ${organization}.`,
    joined: richText`${person} has accepted an invitation and is an owner of ${organization} now.`,
    granted: richText`${actor} has made ${person} an owner of ${organization}.`,
    revoked: richText`${actor} has given ${person} another role: ${person} is no owner of ${organization} any more.`,
    removed: richText`${actor} has removed the owner ${person} from ${organization}.`,
    withdrawn: richText`${actor} has withdrawn the invitation of ${person} to be an owner of ${organization}.`,
  };
  return reports[change];
}
