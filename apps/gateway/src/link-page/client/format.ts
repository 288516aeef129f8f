const NAME_CHARACTERS_MAX = 44;
const TAIL_CHARACTERS = 16;

/** A file name of at most 44 characters: the middle of a longer one is left out, because its end tells the type. */
export function shortName(name: string): string {
  const characters = [...name];
  if (characters.length <= NAME_CHARACTERS_MAX) return name;
  const head = characters.slice(0, NAME_CHARACTERS_MAX - TAIL_CHARACTERS - 1).join('');
  return `${head}…${characters.slice(-TAIL_CHARACTERS).join('')}`;
}

/**
 * A name without control and bidirectional characters, with which `gpj.exe` could be displayed as `exe.jpg`. It keeps the
 * joiners U+200C and U+200D, which Persian and emoji need.
 */
export function plainName(name: string): string {
  return name.replace(/[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu, '\uFFFD');
}

/** Whether content of this type is text; services send all other types in base64 (SPK-05). */
export function isText(contentType = 'text/plain'): boolean {
  const essence = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return /^(?:text\/.+|application\/(?:json|xml|javascript)|.+\+(?:json|xml))$/.test(essence);
}

/**
 * An e-mail address or phone number as it is sent: a number without the separators that people type, the national 0 in
 * parentheses, and the invisible marks that address books copy with it.
 */
export function normalizeIdentity(typed: string): string {
  const text = typed.normalize('NFKC').trim();
  return text.includes('@') ? text : text.replace(/\(0\)|[^+\w]/g, '').replace(/^00/, '+');
}

/** The URL, or undefined unless it is HTTP or HTTPS without credentials. */
export function webAddress(text = ''): URL | undefined {
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined;
  } catch {
    return undefined;
  }
}
