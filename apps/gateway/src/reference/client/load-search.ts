import type { SearchHit, searchOver } from '../search/client/main.js';
import type { SearchEntry } from '../search/client/search-entry.js';
import { SEARCH_ENTRIES, SEARCH_SCRIPT } from '../search/search-paths.js';

export type Search = (text: string) => readonly SearchHit[];

interface SearchModule {
  readonly searchOver: typeof searchOver;
}

let loading: Promise<Search> | undefined;

/** The search, loaded when it is first asked for; again after a failure. */
export function loadSearch(): Promise<Search> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Search> {
  const [{ searchOver: over }, entries] = await Promise.all([
    import(SEARCH_SCRIPT) as Promise<SearchModule>,
    readEntries(),
  ]);
  return over(entries);
}

async function readEntries(): Promise<readonly SearchEntry[]> {
  const response = await fetch(SEARCH_ENTRIES);
  if (!response.ok) throw new Error(`the entries of the search are ${response.status}`);
  return (await response.json()) as readonly SearchEntry[];
}
