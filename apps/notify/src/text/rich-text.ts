/** A text in two forms, plain and HTML. */
export interface RichText {
  readonly text: string;
  readonly html: string;
}

/** Control and format characters, among them line breaks and bidirectional overrides. */
const UNSEEN = /[\p{C}\u2028\u2029]+/gu;
const JOINERS = /[\u200c\u200d]/; // format characters that Persian and emoji need
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const CHARACTERS_MAX = 80;

/**
 * Sanitizes a name that a user chose: one line, at most `charactersMax` characters, no invisible characters, and nothing that
 * a mail client would decode or turn into a link, so that an invitation cannot carry advertising.
 */
export function sanitizeName(name: string, charactersMax = CHARACTERS_MAX): string {
  const line = name
    .replace(UNSEEN, (unseen) => ([...unseen].every((one) => JOINERS.test(one)) ? unseen : ' '))
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  const short =
    characters.length > charactersMax ? `${characters.slice(0, charactersMax - 1).join('')}…` : line;
  return withoutEncodedWords(withoutLinks(short));
}

/**
 * Readers decode an encoded word (RFC 2047, 2), `=?utf-8?Q?Pay_now?=`, wherever they find one in a header, also where the
 * sender typed it: its content is in no check before. Neither header nor text then begins one.
 */
export function withoutEncodedWords(text: string): string {
  return text.replaceAll('=?', '= ?');
}

/** U+2024 looks like a full stop, and mail clients do not recognise it in host names. */
function withoutLinks(name: string): string {
  return name.replaceAll('://', ': //').replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}]{2})/gu, '\u2024');
}

/**
 * Template tag for a sentence with values. In HTML the values are escaped and isolated with `<bdi>`; in plain text
 * right-to-left values are isolated.
 *
 *     prose`${inviter} invited you.`
 */
export function richText(parts: TemplateStringsArray, ...values: readonly string[]): RichText {
  const join = (write: (value: string) => string, between: (part: string) => string) =>
    parts.reduce((sum, part, i) => sum + write(values[i - 1] ?? '') + between(part), '');
  return {
    text: join(isolated, (part) => part),
    html: join((value) => (value === '' ? '' : `<bdi>${escapeHtml(value)}</bdi>`), escapeHtml),
  };
}

/** FSI and PDI (Unicode TR 9) isolate a right-to-left name from the words around it. */
function isolated(value: string): string {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
