import { waitText } from '../../page-client/format.js';
import type { LinkError } from './link-api.js';

/** For an answer that is not ours. */
export const FOREIGN = 'Something between you and us refused it.';

/** The message for an error after which the same request may succeed; undefined for others. */
export function retryProblem({ status, retryAfterSeconds }: LinkError): string | undefined {
  if (status < 0) return FOREIGN;
  const soon = retryAfterSeconds ? `in ${waitText(retryAfterSeconds)}` : 'later';
  if (status === 429) return `Too many attempts. Try again ${soon}.`;
  if (status === 0 || status >= 500) return 'That did not get through. Nothing was opened. Please try again.';
  return undefined;
}
