import type { IncomingMessage } from 'node:http';
import { AppError, validationError } from '@vaultsvc/contracts';
import { assertJsonBody } from '@vaultsvc/http';

/**
 * Only the page itself opens links: a page of another origin could open them for its visitors, one by one. Browsers tell
 * of every POST which origin's page sends it, and pages cannot change that; `null` is the origin of sandboxes and local
 * files. A client without a browser sends neither header and is answered. Throws LINK_ORIGIN_REFUSED.
 */
export function assertOwnPage({ headers }: IncomingMessage, ownOrigin: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined ? site === undefined || site === 'same-origin' : origin === ownOrigin;
  if (!isOwn) throw new AppError('LINK_ORIGIN_REFUSED');
}

/** A form of any page sends text without asking first; JSON it cannot. A body that says nothing of its type is text. */
export function assertJson(request: IncomingMessage): void {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const isEmpty = coding === undefined && Number(length ?? 0) === 0;
  if (type === undefined && !isEmpty) {
    throw validationError({ field: 'Content-Type', message: 'must be application/json' });
  }
  assertJsonBody(request);
}

/** Whether the page is fetched before anybody asked to see it (Fetch, `Sec-Purpose`; `Purpose` was its name before). */
export function isPrefetch({ headers }: IncomingMessage): boolean {
  return [headers['sec-purpose'], headers['purpose']].some((value) => /\bprefetch\b/i.test(String(value)));
}
