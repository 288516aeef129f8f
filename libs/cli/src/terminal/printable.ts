/**
 * Text from others without control characters: an escape sequence in a name or message could rewrite what the terminal
 * shows.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{fffd}');
}
