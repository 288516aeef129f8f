import MiniSearch, { type SearchOptions } from 'minisearch';
import type { SearchEntry } from './search-entry.js';
import { queryOf } from './query.js';
import { partsOf, snippetOf, type TextPart } from './snippet.js';
import { singular, wordsOf } from './words.js';

/** A place that was found, as pages show it. */
export interface SearchHit {
  readonly kind: SearchEntry['kind'];
  readonly url: string;
  readonly title: readonly TextPart[];
  readonly place: string;
  readonly snippet: readonly TextPart[];
}

const HITS_MAX = 12;

const options: SearchOptions = {
  // The beginning of a word is enough while somebody types, and so is a word with a wrong letter.
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  boost: { title: 5, place: 2, text: 1, fields: 0.3 },
  boostDocument: (_, __, stored) => boostOf(stored as unknown as SearchEntry),
  weights: { fuzzy: 0.2, prefix: 0.5 },
};

/** Among places that fit as well, guides explain what an operation only names. */
const boosts: Readonly<Record<SearchEntry['kind'], number>> = {
  Basics: 2,
  Guide: 1.3,
  Operation: 1,
  Error: 1,
};

/** Providers make the calls of apps, and the changelog names everything: who seeks either names it. */
const SIDE_PLACES = /\/v1\/apps\/|\/webhooks\/|^Changelog$/;

function boostOf({ kind, place }: SearchEntry): number {
  return boosts[kind] * (SIDE_PLACES.test(place) ? 0.3 : 1);
}

/** A search over these places: the best ones for a text, best first. */
export async function searchOver(
  entries: readonly SearchEntry[],
): Promise<(text: string) => readonly SearchHit[]> {
  const index = new MiniSearch<SearchEntry & { readonly id: number }>({
    fields: ['title', 'place', 'text', 'fields'],
    storeFields: ['kind', 'place'],
    tokenize: wordsOf,
    processTerm: singular,
    searchOptions: options,
  });
  // In slices, between which the page answers to keys.
  await index.addAllAsync(
    entries.map((entry, id) => ({ ...entry, id })),
    { chunkSize: 8 },
  );
  return (text) => {
    const query = queryOf(text);
    if (query === undefined) return [];
    const found = index.search(query);
    const results = found.length > 0 ? found : index.search(text, { combineWith: 'OR' });
    return results
      .slice(0, HITS_MAX)
      .map(({ id, terms }) => hitOf(entries[id as number] as SearchEntry, new Set(terms)));
  };
}

function hitOf({ kind, url, title, place, text }: SearchEntry, found: ReadonlySet<string>): SearchHit {
  return { kind, url, title: partsOf(title, found), place, snippet: snippetOf(text, found) };
}
