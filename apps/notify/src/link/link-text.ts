import type { LinkMessage } from '@vaultsvc/contracts/sparks';
import { shortName, shortTime } from '../text/short-text.js';
import { headlineOf, minutesLeft, nounOf, required } from './link-wording.js';

/** The rest and a link of about 50 characters then fit into one segment of 160 characters. */
const NAME_CHARACTERS_MAX = 40;

/**
 * The text message about a link: one segment of GSM 7-bit (3GPP TS 23.038), unless the organization's name or the link's
 * domain is long or needs other letters.
 */
export function linkText(message: LinkMessage, now: Date): string {
  return texts[message.kind](message, now);
}

const texts: Readonly<Record<LinkMessage['kind'], (message: LinkMessage, now: Date) => string>> = {
  invitation: withLink,
  delivery: withLink,
  lockout: () => {
    throw new Error('lockouts are reported by mail');
  },
  code: (message, now) =>
    `${required(message.code)} is your code to open a ${nounOf(message)}. It is valid for ${minutesLeft(message, now)}. Share it with nobody: we will never ask you for it.`,
};

function withLink(message: LinkMessage): string {
  const headline = headlineOf(message, shortName(message.organization_name, NAME_CHARACTERS_MAX)).text;
  return `${headline}${limits(message)}: ${required(message.link_url)}`;
}

/** Links without an expiry open any number of times. */
function limits({ expires_at: expiresAt }: LinkMessage): string {
  return expiresAt === null ? '' : `. Opens once, until ${shortTime(expiresAt)}`;
}
