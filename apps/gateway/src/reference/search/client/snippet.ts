import { wordsOf } from './words.js';

/** A part of a text; `isFound` where it is one of the words sought. */
export interface TextPart {
  readonly text: string;
  readonly isFound: boolean;
}

const LENGTH = 150;

/** The piece of a text around its first found word, in parts. */
export function snippetOf(text: string, found: ReadonlySet<string>): TextPart[] {
  const first = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) => isFound(word, found));
  const from = startBefore(text, (first?.index ?? 0) - LENGTH / 3);
  const to = endAfter(text, from + LENGTH);
  const parts = partsOf(text.slice(from, to), found);
  return [...ellipsis(from > 0), ...parts, ...ellipsis(to < text.length)];
}

/** The whole text in parts. */
export function partsOf(text: string, found: ReadonlySet<string>): TextPart[] {
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, isFound: isFound(part, found) }));
}

/** Found terms are in the singular. */
function isFound(part: string, found: ReadonlySet<string>): boolean {
  const [word = ''] = wordsOf(part);
  return found.has(word) || [...found].some((term) => term.length > 2 && word.startsWith(term));
}

function ellipsis(isCut: boolean): TextPart[] {
  return isCut ? [{ text: '…', isFound: false }] : [];
}

/** The beginning of a word at or after a position, so that none is cut. */
function startBefore(text: string, position: number): number {
  if (position <= 0) return 0;
  const space = text.indexOf(' ', position);
  return space === -1 ? position : space + 1;
}

function endAfter(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const space = text.lastIndexOf(' ', position);
  return space === -1 ? position : space;
}
