import { waitText } from '../../page-client/format.js';
import type { LinkError } from './link-api.js';

/** For an answer that is not ours. */
export const FOREIGN =
  'Something between you and this site refused the request: a proxy, a filter or the sign-in page of your network.';

/** The message for an error after which the same request may succeed; undefined for others. */
export function retryProblem({ status, retryAfterSeconds, isForeign }: LinkError): string | undefined {
  if (isForeign) return FOREIGN;
  const soon = retryAfterSeconds ? `in ${waitText(retryAfterSeconds)}` : 'later';
  if (status === 429) return `Too many attempts. Try again ${soon}.`;
  if (status === 0 || status >= 500) return 'That did not get through. Nothing was opened. Please try again.';
  return undefined;
}
