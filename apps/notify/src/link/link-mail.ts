import type { LinkMessage } from '@vaultsvc/contracts/sparks';
import { renderMail, type MailContent, type RenderedMail } from '../email/mail-layout.js';
import { richText, sanitizeName, type RichText } from '../text/rich-text.js';
import { utcTime } from '../text/utc-time.js';
import { headlineOf, minutesLeft, nounOf, required } from './link-wording.js';

/** The mail about a link: an invitation to it, its delivery, or a verification code. */
export function linkMail(message: LinkMessage, now: Date): RenderedMail {
  return renderMail(letters[message.kind](message, now));
}

const letters: Readonly<Record<LinkMessage['kind'], (message: LinkMessage, now: Date) => MailContent>> = {
  invitation,
  delivery,
  code,
  lockout,
};

/** An invitee verifies with a code sent to this address before the link opens. */
function invitation(message: LinkMessage): MailContent {
  return {
    subject: headlineOf(message, sanitizeName(message.organization_name)),
    paragraphs: [
      ...(message.link_type === 'spark'
        ? [richText`It can be opened once: it is shown, and then it is gone.`]
        : [richText`You can open it as often as you need, for as long as it is shared.`]),
      ...until(message),
      richText`The page asks who you are: enter ${message.to} there, and a code will be sent to this address. The link is for you alone. Do not forward it.`,
    ],
    action: opening(message),
    footer: addressee(message),
  };
}

/** A one-time link opens without verification. */
function delivery(message: LinkMessage): MailContent {
  return {
    subject: headlineOf(message, sanitizeName(message.organization_name)),
    paragraphs: [
      richText`The link works once: whoever opens it first receives the ${nounOf(message)}. Do not forward it.`,
      ...until(message),
    ],
    action: opening(message),
    footer: addressee(message),
  };
}

/** The subject begins with the code, for lock screens. It names no sender: the requester of a code may have chosen that name. */
function code(message: LinkMessage, now: Date): MailContent {
  const noun = nounOf(message);
  const digits = required(message.code);
  return {
    subject: richText`${digits} is your code to open a ${noun}`,
    heading: richText`Your code to open a ${noun}`,
    paragraphs: [
      richText`Enter it on the page that asked for it. It is valid for ${minutesLeft(message, now)}. Share it with nobody: we will never ask you for it.`,
    ],
    action: { code: digits },
    footer: richText`This mail was sent to ${message.to} because somebody entered this address on a page. If that was not you, ignore it: without the code nothing opens.`,
  };
}

/** Without the link: its code opens it, and the owner finds it by the id. */
function lockout(message: LinkMessage): MailContent {
  const identity = required(message.identity);
  return {
    subject: richText`Wrong codes have locked out ${identity}`,
    paragraphs: [
      richText`Somebody entered 20 wrong codes for ${identity} within a day, on the page of a link to a ${nounOf(message)} of ${sanitizeName(message.organization_name)}: ${message.asset_id}.`,
      richText`No code opens the link for ${identity} until ${utcTime(required(message.expires_at))}. Nothing was opened, and the link works for everyone else.`,
      richText`Whoever tried has the link. If that was the right person, send the invitation again: then new codes are accepted at once. If not, withdraw the link and share anew.`,
    ],
    footer: richText`This mail was sent to ${message.to} because you own the account that shared the ${nounOf(message)}.`,
  };
}

function opening(message: LinkMessage): MailContent['action'] {
  return { label: `Open the ${nounOf(message)}`, url: required(message.link_url) };
}

function until({ expires_at: expiresAt }: LinkMessage): RichText[] {
  if (expiresAt === null) return [];
  return [richText`The link expires on ${utcTime(expiresAt)}.`];
}

function addressee({ to }: LinkMessage): RichText {
  return richText`This mail was sent to ${to} because somebody entered this address. If you did not expect it, ignore it: nothing opens until you follow the link.`;
}
