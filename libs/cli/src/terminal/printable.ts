/** Characters that could control a terminal, or change the order in which it shows others. */
const CONTROLS = /\r\n|[\p{Cc}\p{Bidi_Control}]/gu;
const HARMLESS: ReadonlySet<string> = new Set(['\n', '\r\n', '\t']);

/**
 * Text from others without control characters: an escape sequence in a name or message could rewrite what the terminal
 * shows.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{fffd}');
}

/** Text of several lines with its control characters written out: `\x1b`, `\u202e`. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (found) => (HARMLESS.has(found) ? found : writtenOut(found)));
}

/** JSON whose controls are all escaped; JSON.stringify escapes those below U+0020 only. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (found) => `\\u${hex(found.charCodeAt(0), 4)}`,
  );
}

function writtenOut(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
