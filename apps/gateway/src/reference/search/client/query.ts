import type { Query, QueryCombination } from 'minisearch';
import { fillers, synonyms } from './synonyms.js';
import { singular, wordsOf } from './words.js';

interface Phrase {
  readonly words: readonly string[];
  readonly written: readonly string[];
}

/** The longest first: "one time link" is not "link". */
const phrases: readonly Phrase[] = synonyms
  .flatMap(([typed, written]) => typed.map((text) => ({ words: singulars(text), written })))
  .sort((one, other) => other.words.length - one.words.length);

/** What is searched for a text: each of its phrases, in the words of the pages too. Undefined without a word. */
export function queryOf(text: string): Query | undefined {
  const words = singulars(text);
  const sought = words.filter((word) => !fillers.has(word));
  const queries = partsOf(sought.length > 0 ? sought : words);
  return queries.length === 0 ? undefined : { combineWith: 'AND', queries };
}

function singulars(text: string): string[] {
  return wordsOf(text).map(singular);
}

function partsOf(words: readonly string[]): Query[] {
  const [first, ...others] = words;
  if (first === undefined) return [];
  const phrase = phrases.find((known) => known.words.every((word, index) => word === words[index]));
  if (!phrase) return [first, ...partsOf(others)];
  return [alternatives(phrase), ...partsOf(words.slice(phrase.words.length))];
}

/** Any of the written phrases, or the typed words, which are a weaker hint: the pages have others for what is meant. */
function alternatives({ words, written }: Phrase): Query {
  const typed = words.join(' ');
  const isWritten = written.includes(typed);
  return {
    combineWith: 'OR',
    queries: [
      ...written.map((phrase) => allOf(phrase.split(' '))),
      ...(isWritten ? [] : [{ ...allOf(words), boostTerm: () => 0.3 }]),
    ],
  };
}

function allOf(words: readonly string[]): QueryCombination {
  return { combineWith: 'AND', queries: [...words] };
}
