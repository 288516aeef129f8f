import type { IncomingMessage } from 'node:http';
import type { PublicOperation } from '@vaultsvc/contracts';
import { readCategorySubscription, UNSUBSCRIBE_PAGE } from '@vaultsvc/contracts/notify';
import { acceptsHtml } from '../pages/accepts-html.js';

/**
 * The page in place of an operation for browsers: mails of former releases link to GET /v1/unsubscribe. Undefined for other
 * operations, and for clients that do not name HTML.
 */
export function pageInPlaceOf(
  operation: PublicOperation | undefined,
  request: IncomingMessage,
  query: string,
): string | undefined {
  const isPage = operation === readCategorySubscription && acceptsHtml(request);
  return isPage ? `${UNSUBSCRIBE_PAGE}?${query}` : undefined;
}
