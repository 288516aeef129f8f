const CHARACTERS_MAX = 2_048;

/**
 * Space and controls: WHATWG's parser drops some of them silently, so a text could be one URL to us and another,
 * or two, to its reader. U+FEFF and U+2028/2029 are refused with them.
 */
const UNSAFE = /[\p{Cc}\u0020\u00a0\u2028\u2029\ufeff]/u;

/** Two slashes and a plain authority: the parser would also forgive other numbers of slashes, and backslashes. */
const PLAIN_AUTHORITY = /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i;

/** Of a parsed URL: a domain (in its ASCII form), an IPv4 or a bracketed IPv6 address; no comma, no quote. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** Exactly one http or https URL as the WHATWG standard reads it, without credentials, of at most 2,048 characters. */
export function isLinkDestination(text: string): boolean {
  if (text.length > CHARACTERS_MAX || UNSAFE.test(text) || !PLAIN_AUTHORITY.test(text)) return false;
  return URL.canParse(text) && HOST.test(new URL(text).hostname);
}
