import type { IncomingMessage } from 'node:http';
import type { PublicOperation } from '@vaultsvc/contracts';
import { readCategorySubscription, UNSUBSCRIBE_PAGE } from '@vaultsvc/contracts/notify';

/**
 * The page in place of an operation for browsers: mails of former releases link to GET /v1/unsubscribe. Undefined for other
 * operations, and for clients that do not name HTML.
 */
export function pageInPlaceOf(
  operation: PublicOperation | undefined,
  { headers }: IncomingMessage,
  query: string,
): string | undefined {
  const isPage = operation === readCategorySubscription && acceptsHtml(headers.accept);
  return isPage ? `${UNSUBSCRIBE_PAGE}?${query}` : undefined;
}

/** RFC 9110, 12.5.1. Wildcards do not count: clients of the API send them. */
function acceptsHtml(accept = ''): boolean {
  return accept.split(',').some((range) => /^\s*text\/html\s*(;(?!.*q=0(\.0*)?\s*$).*)?$/i.test(range));
}
