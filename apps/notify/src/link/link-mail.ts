import type { LinkMessage } from '@vaultsvc/contracts/sparks';
import { write, type Letter, type Written } from '../email/layout.js';
import { prose, shownName, type Prose } from '../email/prose.js';
import { headlineOf, minutesLeft, nounOf, required } from './wording.js';

/** The mail about a link: that it is shared, that it was sent, or the code that opens it. */
export function linkMail(message: LinkMessage, now: Date): Written {
  return write(letters[message.kind](message, now));
}

const letters: Readonly<Record<LinkMessage['kind'], (message: LinkMessage, now: Date) => Letter>> = {
  invitation,
  delivery,
  code,
};

/** Whoever is invited proves by a code to this address that it is they who open. */
function invitation(message: LinkMessage): Letter {
  return {
    subject: headlineOf(message, shownName(message.organization_name)),
    paragraphs: [
      ...(message.link_type === 'spark'
        ? [prose`It can be opened once: it is shown, and then it is gone.`]
        : [prose`You can open it as often as you need, for as long as it is shared.`]),
      ...until(message),
      prose`The page asks who you are: enter ${message.to} there, and a code will be sent to this address. The link is for you alone. Do not forward it.`,
    ],
    action: opening(message),
    footer: addressee(message),
  };
}

/** A one-time link asks nobody who they are. */
function delivery(message: LinkMessage): Letter {
  return {
    subject: headlineOf(message, shownName(message.organization_name)),
    paragraphs: [
      prose`The link works once: whoever opens it first receives the ${nounOf(message)}. Do not forward it.`,
      ...until(message),
    ],
    action: opening(message),
    footer: addressee(message),
  };
}

/** The subject begins with the code, for lock screens. No name of a sender: whoever asks for a code may have chosen it. */
function code(message: LinkMessage, now: Date): Letter {
  const noun = nounOf(message);
  const digits = required(message.code);
  return {
    subject: prose`${digits} is your code to open a ${noun}`,
    heading: prose`Your code to open a ${noun}`,
    paragraphs: [
      prose`Enter it on the page that asked for it. It is valid for ${minutesLeft(message, now)}. Share it with nobody: we will never ask you for it.`,
    ],
    action: { code: digits },
    footer: prose`This mail was sent to ${message.to} because somebody entered this address on a page. If that was not you, ignore it: without the code nothing opens.`,
  };
}

function opening(message: LinkMessage): Letter['action'] {
  return { label: `Open the ${nounOf(message)}`, url: required(message.link_url) };
}

function until({ expires_at: expiresAt }: LinkMessage): Prose[] {
  if (expiresAt === null) return [];
  return [prose`The link expires on ${longTime.format(expiresAt * 1_000)} UTC.`];
}

function addressee({ to }: LinkMessage): Prose {
  return prose`This mail was sent to ${to} because somebody entered this address. If you did not expect it, ignore it: nothing opens until you follow the link.`;
}

const longTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
