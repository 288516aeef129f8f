/** Most characters of a text in a block, as the platform counts them: units of UTF-16, after escaping. */
const BLOCK_UNITS_MAX = 3_000;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text that the platform shows as it is: it decodes three entities in every text, plain ones, too (AMB-28). */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}

/** An escaped text in parts that fit a block each; none ends within an entity or a character. */
export function escapedParts(text: string): readonly string[] {
  const parts = [''];
  for (const character of text) {
    const shown = escaped(character);
    if ((parts.at(-1) ?? '').length + shown.length > BLOCK_UNITS_MAX) parts.push(shown);
    else parts.push((parts.pop() ?? '') + shown);
  }
  return parts;
}
