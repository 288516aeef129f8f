/** Running text, as plain text and as HTML. */
export interface Prose {
  readonly text: string;
  readonly html: string;
}

/** Control and format characters; among them are line breaks, and what turns the direction of writing around. */
const UNSEEN = /[\p{C}\u2028\u2029]+/gu;
const JOINERS = /[\u200c\u200d]/; // format characters that Persian and emoji are written with
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const CHARACTERS_MAX = 80;

/**
 * A name that somebody gave, made safe to stand in a sentence: one line, 80 characters unless told, nothing unseen, and
 * nothing that a mail program would make a link of, so that no invitation carries an advertisement to strangers.
 */
export function shownName(name: string, charactersMax = CHARACTERS_MAX): string {
  const line = name
    .replace(UNSEEN, (unseen) => ([...unseen].every((one) => JOINERS.test(one)) ? unseen : ' '))
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  const short =
    characters.length > charactersMax ? `${characters.slice(0, charactersMax - 1).join('')}…` : line;
  return withoutLinks(short);
}

/** U+2024 looks like the full stop and ends no host name that a mail program knows. */
function withoutLinks(name: string): string {
  return name.replaceAll('://', ': //').replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}]{2})/gu, '\u2024');
}

/**
 * A sentence with values in it: in HTML they are escaped and kept apart in their direction of writing, in plain text
 * the latter where they need it.
 *
 *     prose`${inviter} invited you.`
 */
export function prose(parts: TemplateStringsArray, ...values: readonly string[]): Prose {
  const join = (write: (value: string) => string, between: (part: string) => string) =>
    parts.reduce((sum, part, i) => sum + write(values[i - 1] ?? '') + between(part), '');
  return {
    text: join(isolated, (part) => part),
    html: join((value) => (value === '' ? '' : `<bdi>${escapeHtml(value)}</bdi>`), escapeHtml),
  };
}

/** FSI and PDI (Unicode TR 9): a right-to-left name does not pull the words around it along. */
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
