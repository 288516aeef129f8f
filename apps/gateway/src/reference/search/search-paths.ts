/** The script of the search, a module that exports `searchOver`. Its path has no version: pages of two releases read it side by side. */
export const SEARCH_SCRIPT = '/docs/search.js';
/** A JSON list of all SearchEntry. */
export const SEARCH_ENTRIES = '/docs/search.json';
