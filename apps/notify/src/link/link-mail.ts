import type { LinkMessage } from '@vaultsvc/contracts/sparks';
import { write, type Letter, type Written } from '../email/layout.js';
import { prose, shownName, type Prose } from '../email/prose.js';
import { minutesLeft, nounOf, required } from './wording.js';

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
  const noun = nounOf(message);
  const organization = shownName(message.organization_name);
  return {
    subject:
      organization === ''
        ? prose`A ${noun} is shared with you`
        : prose`${organization} shares a ${noun} with you`,
    paragraphs: [
      ...(message.link_type === 'spark'
        ? [prose`It can be opened once: it is shown, and then it is gone.`]
        : [prose`You can open it as often as you need, for as long as it is shared.`]),
      ...until(message),
      prose`The page asks who you are: enter ${message.to} there, and a code is sent to this address. The link is for you alone. Do not forward it.`,
    ],
    action: { label: `Open the ${noun}`, url: required(message.link_url) },
    footer: addressee(message),
  };
}

/** A one-time link asks nobody who they are. */
function delivery(message: LinkMessage): Letter {
  const noun = nounOf(message);
  const organization = shownName(message.organization_name);
  return {
    subject:
      organization === '' ? prose`A ${noun} is sent to you` : prose`${organization} sends you a ${noun}`,
    paragraphs: [
      prose`The link works once: whoever opens it first receives the ${noun}. Do not forward it.`,
      ...until(message),
    ],
    action: { label: `Open the ${noun}`, url: required(message.link_url) },
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
      prose`Enter it on the page that asked for it. It is good for ${minutesLeft(message, now)}. Tell it to nobody: none of us will ask you for it.`,
    ],
    action: { code: digits },
    footer: prose`This mail was sent to ${message.to} because somebody entered this address on a page. If that was not you, ignore it: without the code nothing opens.`,
  };
}

function until({ expires_at: expiresAt }: LinkMessage): Prose[] {
  if (expiresAt === null) return [];
  return [prose`The link ends on ${longTime.format(expiresAt * 1_000)} UTC.`];
}

function addressee({ to }: LinkMessage): Prose {
  return prose`This mail was sent to ${to} because somebody entered this address. If you did not expect it, ignore it: nothing opens until you follow the link.`;
}

const longTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
