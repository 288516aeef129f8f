import { originOf } from '../foreign-answer.js';
import { RedirectError } from '../redirect-error.js';

/** A request of tus-js-client, whose own types need those of Node. */
interface SentRequest {
  getURL(): string;
  getUnderlyingObject(): unknown;
}

/**
 * For `onAfterResponse` of tus-js-client: in browsers it sends by XMLHttpRequest, which follows redirects and cannot be told not to.
 * After a response of another origin nothing more is sent. In Node it follows none.
 * @throws RedirectError
 */
export function assertNotRedirected(request: SentRequest): void {
  const sent = request.getUnderlyingObject() as { readonly responseURL?: unknown } | null;
  const { responseURL: url } = sent ?? {};
  if (typeof url !== 'string' || url === '' || originOf(url) === originOf(request.getURL())) return;
  throw new RedirectError(request.getURL(), url);
}
