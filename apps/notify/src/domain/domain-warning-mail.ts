import type { DomainWarning } from '@vaultsvc/contracts/auth';
import { renderMail, type RenderedMail } from '../email/mail-layout.js';
import { richText, sanitizeName } from '../text/rich-text.js';
import { utcTime } from '../text/utc-time.js';

/** The mail that warns an owner: what is missing, what to publish, and what happens otherwise. */
export function domainWarningMail(warning: DomainWarning, signInUrl: string): RenderedMail {
  const { email, domain, txt_name: name, txt_value: value } = warning;
  const organization = sanitizeName(warning.organization_name);
  return renderMail({
    subject: richText`The DNS record of ${domain} is missing`,
    paragraphs: [
      richText`${organization} has claimed ${domain} on vaultsvc, and we no longer find the DNS record that proves it.`,
      richText`Publish it again. The type is TXT, the name is ${name}, and the value is ${value}`,
      richText`Otherwise the claim lapses on ${utcTime(warning.lapses_at)}: other people can then sign up with addresses of this domain. Users of ${organization} keep their accounts.`,
    ],
    action: { label: 'Sign in', url: signInUrl },
    footer: richText`This mail was sent to ${email} because you are an owner of ${organization}.`,
  });
}
