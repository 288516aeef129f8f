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
export function keepsOneDirection(labels: readonly string[]): boolean {
  return !labels.some((label) => HAS_RIGHT.test(label)) || labels.every(isOfOneDirection);
}

function isOfOneDirection(label: string): boolean {
  if (!HAS_RIGHT.test(label)) return LEFT_LABEL.test(label);
  return RIGHT_LABEL.test(label) && !(ARABIC_DIGITS.test(label) && EUROPEAN_DIGITS.test(label));
}
