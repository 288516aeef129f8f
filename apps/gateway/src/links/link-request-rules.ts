import type { IncomingMessage } from 'node:http';
import { AppError, validationError } from '@vaultsvc/contracts';
import { assertJsonContentType } from '@vaultsvc/http';

/**
 * Throws LINK_ORIGIN_REFUSED for a POST from a page of another origin, which could open links on behalf of its visitors.
 * Browsers send Origin with every POST, and pages cannot change it; sandboxed pages and local files have `null`. Clients
 * other than browsers send neither Origin nor Sec-Fetch-Site and are allowed.
 */
export function assertSameOrigin({ headers }: IncomingMessage, ownOrigin: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isSameOrigin =
    origin === undefined ? site === undefined || site === 'same-origin' : origin === ownOrigin;
  if (!isSameOrigin) throw new AppError('LINK_ORIGIN_REFUSED');
}

/** Throws VALIDATION_ERROR unless the body is JSON: a form of any page can send text, but not JSON, without a preflight. */
export function assertJsonRequest(request: IncomingMessage): void {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const isEmpty = coding === undefined && Number(length ?? 0) === 0;
  if (type === undefined && !isEmpty) {
    throw validationError({ field: 'Content-Type', message: 'must be application/json' });
  }
  assertJsonContentType(request);
}

/** Whether a browser prefetches the page (`Sec-Purpose` of the Fetch standard; older browsers send `Purpose`). */
export function isPrefetch({ headers }: IncomingMessage): boolean {
  return [headers['sec-purpose'], headers['purpose']].some((value) => /\bprefetch\b/i.test(String(value)));
}
