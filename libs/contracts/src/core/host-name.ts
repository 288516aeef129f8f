import { domainToASCII, domainToUnicode } from 'node:url';

/** RFC 1035, 2.3.4: the octets of a name, without the dot of the root. */
const HOST_NAME_CHARACTERS_MAX = 253;

// Rejected before the conversion, which parses a URL's host and would drop a path and decode `%61`.
const UNLIKE_A_NAME = /(?![A-Za-z0-9.-])\p{ASCII}|\s/u;
// RFC 1123, 2.1: letters, digits and hyphens, no hyphen at either end.
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const DIGITS = /^\d+$/;
/** RFC 5890, 2.3.2.1: the prefix of an internationalized label in DNS. */
const ENCODED_PREFIX = 'xn--';
const NON_ASCII = /\P{ASCII}/u;

/**
 * The canonical spelling of a host name: lower case, IDNA in ASCII (UTS 46, as in browsers), without the dot of the root.
 * Undefined for anything that is not a host name of at least two labels.
 * Versions of Node differ in which encoded labels they check; the checks here give the same result on all of them.
 */
export function hostNameOf(text: string): string | undefined {
  if (UNLIKE_A_NAME.test(text)) return undefined;
  const ascii = domainToASCII(lowerCased(text)).replace(/\.$/, '');
  const labels = ascii.split('.');
  if (ascii.length > HOST_NAME_CHARACTERS_MAX || !isHostName(labels) || !labels.every(isCanonical))
    return undefined;
  return satisfiesBidiRule(labels.map((label) => domainToUnicode(label))) ? ascii : undefined;
}

/** A numeric last label makes an IPv4 address, in any notation (WHATWG URL, "ends in a number"). */
function isHostName(labels: readonly string[]): boolean {
  const last = labels.at(-1) ?? '';
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !DIGITS.test(last);
}

/** Maps each letter on its own, as UTS 46 does: lower-casing a whole word changes its final sigma. */
function lowerCased(text: string): string {
  return Array.from(text, (character) => character.toLowerCase()).join('');
}

/** An encoded label decodes to a Unicode label that encodes to it again. `xn--example-` shows as `example`, another name. */
function isCanonical(label: string): boolean {
  if (!label.startsWith(ENCODED_PREFIX)) return true;
  const unicode = domainToUnicode(label);
  return NON_ASCII.test(unicode) && domainToASCII(unicode) === label;
}

/** The Unicode blocks of right-to-left letters, with their digits and marks. */
const RIGHT = String.raw`\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}`;
const HAS_RIGHT = new RegExp(`[${RIGHT}]`, 'u');
const RIGHT_LABEL = new RegExp(
  String.raw`^(?!\p{Nd})[${RIGHT}](?:[${RIGHT}\p{M}\p{Nd}-]*[${RIGHT}\p{Nd}])?\p{M}*$`,
  'u',
);
const LEFT_LABEL = /^\p{L}(?:.*[\p{L}\p{N}])?\p{M}*$/u;
const ARABIC_DIGITS = /[\u0660-\u0669]/u;
const EUROPEAN_DIGITS = /[0-9\u06f0-\u06f9]/u;

/**
 * The Bidi rule (RFC 5893, section 2) without its symbols: in a domain with right-to-left letters each label has one
 * direction, begins with a letter and has digits of one kind. Otherwise two domains could look the same on a screen.
 * @param labels of one domain, in Unicode
 */
function satisfiesBidiRule(labels: readonly string[]): boolean {
  return !labels.some((label) => HAS_RIGHT.test(label)) || labels.every(isOfOneDirection);
}

function isOfOneDirection(label: string): boolean {
  if (!HAS_RIGHT.test(label)) return LEFT_LABEL.test(label);
  return RIGHT_LABEL.test(label) && !(ARABIC_DIGITS.test(label) && EUROPEAN_DIGITS.test(label));
}
