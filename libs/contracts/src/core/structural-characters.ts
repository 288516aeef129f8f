import { validationError } from './errors.js';

/** Default of `structuralCharactersMax`. */
export const STRUCTURAL_CHARACTERS_MAX = 8_192;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Throws VALIDATION_ERROR for a JSON text with more than `max` structural characters `{ [ : ,` (RFC 8259, section 2),
 * to be called before it is parsed: each value costs a parser up to fifty times its own length. Characters in strings do
 * not count.
 */
export function assertStructure(json: Uint8Array, max = STRUCTURAL_CHARACTERS_MAX): void {
  if (json.length <= max || hasAtMost(json, max)) return;
  const limit = max.toLocaleString('en-US');
  throw validationError({
    field: '',
    message: `must have at most ${limit} of the characters { [ : , outside strings`,
  });
}

/**
 * One pass that costs about a millisecond for a MiB, whatever the text is, half of what parsing costs. A search for quotes
 * by `indexOf` is faster on long strings, and slower without bound where they are short or escaped.
 */
function hasAtMost(json: Uint8Array, max: number): boolean {
  let count = 0;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i];
    if (byte === QUOTE) i = endOfString(json, i + 1);
    else if (byte === COMMA || byte === COLON || byte === OPENING_BRACKET || byte === OPENING_BRACE)
      count += 1;
    if (count > max) return false;
  }
  return true;
}

/** The index of the quote that ends the string; in UTF-8 no byte of a longer character is a quote or backslash. */
function endOfString(json: Uint8Array, start: number): number {
  let i = start;
  while (i < json.length && json[i] !== QUOTE) i += json[i] === BACKSLASH ? 2 : 1;
  return i;
}
