/** Where a provider of an integration leads back. */
const RETURN = /^\/app\/integrations\/[\w-]+\/return$/;

let query: URLSearchParams | undefined;

/**
 * Takes the query out of the URL of a page to which a provider leads back: no history, storage or log must keep its code. The queries of
 * other pages are filters.
 */
export function removeReturnedQuery(): void {
  if (location.search === '' || !RETURN.test(location.pathname)) return;
  query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
}

/** The query of the page that was loaded; used once. */
export function takeReturnedQuery(): URLSearchParams | undefined {
  const returned = query;
  query = undefined;
  return returned;
}
