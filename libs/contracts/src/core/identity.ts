import { domainToUnicode } from 'node:url';
import { hostNameOf } from './host-name.js';

/** RFC 5321, 4.5.3.1: 64 octets of local part; a path of 256 octets, which includes the angle brackets. */
const LOCAL_OCTETS_MAX = 64;
const EMAIL_OCTETS_MAX = 254;
/** Bounds the text, in schemas too, before its octets are counted. */
export const EMAIL_CHARACTERS_MAX = EMAIL_OCTETS_MAX;

// RFC 5321, 4.1.2: no dot at either end of the local part, and no two in a row; servers reject such mail. No quoted local
// parts and no specials of RFC 5322, 3.2.3: with them one header could hold several addresses.
const ATOM = String.raw`[^\s.@\p{C}()<>[\]:;,\\"]+`;
const LOCAL_PART = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*$`, 'u');
const NON_ASCII = /\P{ASCII}/u;

/** Why an address is refused, after the name of its field. */
export const EMAIL_PROBLEM =
  'must be an e-mail address such as ann@example.com: at a host name, with 64 octets before the @ at most, and no dot at their ends or beside another';

/**
 * Whether a string is an e-mail address that mail servers accept. Only a delivered mail proves that the address exists. The
 * folded local part is checked too: a full-width comma folds to a comma.
 */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_CHARACTERS_MAX) return false;
  const { local, domain } = partsOf(text);
  const name = hostNameOf(domain);
  if (name === undefined || ![local, folded(local)].every(isLocalPart)) return false;
  return octetsOf(local) + '@'.length + name.length <= EMAIL_OCTETS_MAX;
}

function isLocalPart(local: string): boolean {
  return octetsOf(local) <= LOCAL_OCTETS_MAX && LOCAL_PART.test(local);
}

// As `isEmail` without what an old mailbox may lack: dots in their places, and a domain that DNS can contain.
const KNOWN_EMAIL = /^[^\s@\p{C}()<>[\]:;,\\"]{1,64}@[^\s@\p{C}()<>[\]:;,\\"]+\.[^\s@\p{C}()<>[\]:;,\\"]+$/u;

/**
 * Whether a string may be an address that exists: some old mailboxes have addresses that `isEmail` refuses, and their users
 * sign in by a provider that verified them.
 */
export function isKnownEmail(text: string): boolean {
  return text.length <= EMAIL_CHARACTERS_MAX && KNOWN_EMAIL.test(text);
}

/** How a person without an account is contacted and verified. */
export type IdentityType = 'email' | 'phone';

/** E.164: a plus and at most 15 digits, the first of them not 0. */
const PHONE = /^\+[1-9]\d{6,14}$/;

/** Why a phone number is refused, after the name of its field. */
export const PHONE_PROBLEM =
  'must be an E.164 phone number such as +4930123456: a plus and 7 to 15 digits, without spaces and without the 0 of a national number';

/** The type of an identity; undefined if the string is neither an e-mail address nor an E.164 phone number. */
export function identityTypeOf(text: string): IdentityType | undefined {
  if (PHONE.test(text)) return 'phone';
  return isEmail(text) ? 'email' : undefined;
}

/**
 * The address to which mail for any spelling of an identity goes: the domain as DNS has it, and a local part beyond ASCII as it
 * is compared. So a code never goes to another mailbox than the one whose identity it proves. Phone numbers stay as they are.
 */
export function mailboxOf(identity: string): string {
  if (!identity.includes('@')) return identity;
  const { local, domain } = partsOf(identity);
  return `${NON_ASCII.test(local) ? folded(local) : local}@${asciiDomain(domain)}`;
}

/**
 * The form in which identities are compared. The local part is case-folded too, although RFC 5321 (2.4) leaves that to its
 * host: no provider in use distinguishes `Ann@` from `ann@`, and two people with one mailbox could read each other's mail.
 * For the same reason the domain is converted to its DNS form: `exämple.test` and `xn--exmple-cua.test` are one mailbox.
 */
export function identityKey(identity: string): string {
  return asciiLower(mailboxOf(identity));
}

/**
 * The keys that identities had before their domains were converted, for what was stored under them and cannot be found
 * otherwise: the identity as it was written, and its domain in Unicode. They include the key of today.
 */
export function formerKeysOf(identity: string): string[] {
  const { local, domain } = partsOf(identityKey(identity));
  const spellings = domain === '' ? [] : [`${local}@${domainToUnicode(domain) || domain}`];
  return [...new Set([identityKey(identity), asciiLower(identity), ...spellings])];
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function partsOf(email: string): { local: string; domain: string } {
  const at = email.lastIndexOf('@');
  return at < 0 ? { local: email, domain: '' } : { local: email.slice(0, at), domain: email.slice(at + 1) };
}

/** A domain that is no host name, of an address that `isEmail` refuses, is compared as text. */
function asciiDomain(domain: string): string {
  if (!NON_ASCII.test(domain)) return asciiLower(domain).replace(/\.$/, '');
  return hostNameOf(domain) ?? folded(domain);
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

function octetsOf(text: string): number {
  return Buffer.byteLength(text);
}
